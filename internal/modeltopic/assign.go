package modeltopic

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
)

// moves are the messages after which the aliases on the topic are those of the assignment, and whose aliases they are. An alias that others
// overwrote with a record that does not count is written again. It is deterministic: keys and names in order.
func (p *Publisher) moves() (messages []kafka.Message, names []string) {
	point := func(name string, mover int64, to Target) {
		messages, names = append(messages, MoveAlias(p.Job, name, mover, to, p.own.Signer)), append(names, name)
	}
	assigned := map[string]Target{}
	if p.assigned != nil {
		assigned = p.assigned.Aliases
	}
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		to, displaced := assigned[name], p.shelf.isDisplaced(name)
		now, there := p.shelf.aliases[name]
		switch {
		case to == (Target{}) && (there || displaced):
			messages, names = append(messages, kafka.Message{Key: []byte(AliasKey(p.Job, name))}), append(names, name)
		case p.shelf.rule.Mover(name) > p.own.Term: // readers would refuse it; see Outranked
		case to != (Target{}) && (now.target() != to || displaced):
			point(name, p.own.Term, to)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.shelf.aliases)) { // those of others
		if _, own := assigned[name]; !own && name != Latest && p.shelf.isDisplaced(name) {
			point(name, p.shelf.rule.Mover(name), p.shelf.aliases[name].target())
		}
	}
	return messages, names
}

// forgeries delete what names a term that no owner can have. In one batch they stand before the moves, which readers would refuse as late.
func (p *Publisher) forgeries() (messages []kafka.Message) {
	for _, key := range slices.Sorted(maps.Keys(p.shelf.forged)) {
		messages = append(messages, kafka.Message{Key: []byte(key)})
	}
	return messages
}

// align writes the aliases that are not where the assignment wants them, as one batch.
func (p *Publisher) align(ctx context.Context) (names []string, err error) {
	messages, names := p.moves()
	messages = append(p.forgeries(), messages...)
	if len(messages) == 0 {
		return nil, nil
	}
	if err := p.write(ctx, messages...); err != nil {
		return nil, fmt.Errorf("the aliases %v could not be moved: %w", names, err)
	}
	return names, p.Look(ctx)
}

// Assign makes the topic follow another assignment.
func (p *Publisher) Assign(ctx context.Context, a *Assignment) error {
	p.assigned = a
	p.shelf.kept = a.Kept
	if err := p.Look(ctx); err != nil {
		return err
	}
	_, err := p.align(ctx)
	return err
}

// IsNews says whether the topic does not follow an assignment yet as to who watches the versions.
func (p *Publisher) IsNews(a *Assignment) bool {
	return a != nil && (p.assigned == nil || p.assigned.UnwatchedSince != a.UnwatchedSince)
}
