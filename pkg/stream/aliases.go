package stream

import (
	"context"
	"fmt"
	"maps"
	"slices"

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
}

// target is a document that an alias points to; the zero target is none.
type target struct {
	place
	sha string
}

// moves are the messages after which the aliases on the topic are those of the assignment, and whose aliases they are. It
// is deterministic: names in order.
func (p *publisher) moves() (messages []kafka.Message, names []string, err error) {
	if p.assigned == nil {
		return nil, nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.assigned.aliases)) {
		to := p.assigned.aliases[name]
		now, there := p.shelf.aliases[name]
		key := modeltopic.AliasKey(p.job, name)
		switch {
		case to == (target{}) && !there:
			continue
		case to == (target{}):
			messages = append(messages, kafka.Message{Key: []byte(key)})
		case there && (place{now.Term, now.Version}) == to.place && now.WeightsSHA256 == to.sha:
			continue
		default:
			message, err := modeltopic.MoveAlias(p.job, name, p.term, to.public(), to.sha, p.signer)
			if err != nil {
				return nil, nil, fmt.Errorf("stream: %w", err)
			}
			messages = append(messages, message)
		}
		names = append(names, name)
	}
	return messages, names, nil
}

// align writes the aliases that are not where the assignment wants them, as one batch.
func (p *publisher) align(ctx context.Context) (names []string, err error) {
	messages, names, err := p.moves()
	if err != nil || len(messages) == 0 {
		return nil, err
	}
	err = p.cluster.Retry(ctx, "publish to "+p.topic, func(ctx context.Context) error {
		_, err := p.cluster.Append(ctx, p.topic, 0, messages...)
		return err
	})
	if err != nil {
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
