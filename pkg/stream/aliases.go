package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// assignment is what a snapshot that counts says of the model topic: where the aliases of releases point, and which
// documents must stay. The topic follows it: an alias that says otherwise is moved, whoever moved it.
type assignment struct {
	// aliases are by name. One that points to no document is deleted. A name that is missing is left as it is.
	aliases map[string]target
	// kept are the documents that releases need besides those that are newest.
	kept map[place]bool
	// unwatched is that of the targets.
	unwatched int64
}

// target is a document that an alias points to; the zero target is none.
type target struct {
	place
	sha string
	// unwatched is since when the releases are cut off, as seconds since 1970. 0: they work.
	unwatched int64
}

// moved is what the alias is to say.
func (t target) moved() modeltopic.Target {
	to := modeltopic.Target{Place: t.public(), SHA256: t.sha}
	if t.unwatched != 0 {
		to.UnwatchedSince = time.Unix(t.unwatched, 0).UTC()
	}
	return to
}

// moves are the messages after which the aliases on the topic are those of the assignment, and whose aliases they are. An alias that others
// overwrote with a record that does not count is written again. It is deterministic: keys and names in order.
func (p *publisher) moves() (messages []kafka.Message, names []string, err error) {
	point := func(name string, mover int64, to target) error {
		message, err := modeltopic.MoveAlias(p.job, name, mover, to.moved(), p.signer)
		if err != nil {
			return fmt.Errorf("stream: %w", err)
		}
		messages, names = append(messages, message), append(names, name)
		return nil
	}
	assigned := map[string]target{}
	if p.assigned != nil {
		assigned = p.assigned.aliases
	}
	for _, name := range slices.Sorted(maps.Keys(assigned)) {
		to, displaced := assigned[name], p.shelf.isDisplaced(name)
		now, there := p.shelf.aliases[name]
		switch {
		case to == (target{}) && (there || displaced):
			messages, names = append(messages, kafka.Message{Key: []byte(modeltopic.AliasKey(p.job, name))}), append(names, name)
		case p.shelf.rule.Mover(name) > p.term: // readers would refuse it; see Outranked
		case to != (target{}) && (targetOfAlias(now) != to || displaced):
			err = errors.Join(err, point(name, p.term, to))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.shelf.aliases)) { // those of others
		if _, own := assigned[name]; !own && name != LatestAlias && p.shelf.isDisplaced(name) {
			err = errors.Join(err, point(name, p.shelf.rule.Mover(name), targetOfAlias(p.shelf.aliases[name])))
		}
	}
	return messages, names, err
}

// forgeries delete what names a term that no owner can have. In one batch they stand before the moves, which readers would refuse as late.
func (p *publisher) forgeries() (messages []kafka.Message) {
	for _, key := range slices.Sorted(maps.Keys(p.shelf.forged)) {
		messages = append(messages, kafka.Message{Key: []byte(key)})
	}
	return messages
}

func targetOfAlias(a Alias) target {
	t := target{place{a.Term, a.Version}, a.WeightsSHA256, 0}
	if !a.UnwatchedSince.IsZero() {
		t.unwatched = a.UnwatchedSince.Unix()
	}
	return t
}

// align writes the aliases that are not where the assignment wants them, as one batch.
func (p *publisher) align(ctx context.Context) (names []string, err error) {
	messages, names, err := p.moves()
	messages = append(p.forgeries(), messages...)
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	if err := p.write(ctx, messages...); err != nil {
		return nil, fmt.Errorf("the aliases %v could not be moved: %w", names, err)
	}
	return names, p.look(ctx)
}

// assign makes the topic follow another assignment.
func (p *publisher) assign(ctx context.Context, a *assignment) error {
	p.assigned = a
	p.shelf.kept = a.kept
	if err := p.look(ctx); err != nil {
		return err
	}
	_, err := p.align(ctx)
	return err
}
