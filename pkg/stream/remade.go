package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// ModelsRemade: the model topic was deleted and made again, or cut. The owner wrote again what it holds: the newest document, those
// that aliases point to or releases need, and the aliases. Missing counts the other documents, which are gone.
type ModelsRemade struct {
	Topic                       string
	Documents, Aliases, Missing int
}

func (ModelsRemade) event() {}

// readOn reads on to the end of the topic. A topic that was made again or cut is read from its beginning, and lost is what it held before; else lost
// is nil. An offset says nothing about a topic that was made again, so whether it is the same is asked each time.
func (p *publisher) readOn(ctx context.Context) (lost *shelf, err error) {
	info, err := p.cluster.Topic(ctx, p.topic)
	if err != nil {
		return nil, err
	}
	bounds, err := p.cluster.Bounds(ctx, p.topic)
	if err != nil {
		return nil, err
	}
	if p.id == (kafka.TopicID{}) {
		p.id = info.ID
	}
	if cut := len(bounds) > 0 && bounds[0].End < p.next; p.id == info.ID && !cut {
		next, err := p.cluster.Read(ctx, p.topic, 0, p.next, kafka.End, p.shelf.apply)
		if loss := (*kafka.DataLoss)(nil); !errors.As(err, &loss) {
			p.next = next
			return nil, err
		}
	}
	lost = p.shelf
	p.id, p.shelf = info.ID, newShelf(p.job, false)
	p.shelf.rule.Verifier, p.shelf.rule.Own, p.shelf.kept = lost.rule.Verifier, lost.rule.Own, lost.kept
	p.next, err = p.cluster.Read(ctx, p.topic, 0, kafka.Earliest, kafka.End, p.shelf.apply)
	return lost, err
}

// writeAgain writes the documents that this process holds and the topic does not, and then the aliases; the next look finds them.
func (p *publisher) writeAgain(ctx context.Context, lost *shelf) error {
	told := ModelsRemade{Topic: p.topic}
	for _, at := range slices.SortedFunc(maps.Keys(p.protected), place.compare) {
		if _, there := p.shelf.documents[at]; there {
			continue
		}
		if err := p.write(ctx, p.protected[at]); err != nil {
			return fmt.Errorf("version %d could not be written again: %w", at.version, err)
		}
		told.Documents++
	}
	held := func(at place) bool {
		_, there := p.shelf.documents[at]
		_, again := p.protected[at]
		return there || again
	}
	for at := range lost.documents {
		if !held(at) {
			told.Missing++
		}
	}
	var moved []kafka.Message
	for _, name := range slices.Sorted(maps.Keys(lost.aliases)) {
		to := lost.aliases[name]
		if _, there := p.shelf.aliases[name]; there || !held(place{to.Term, to.Version}) {
			continue
		}
		message, err := modeltopic.MoveAlias(p.job, name, p.term, targetOfAlias(to).moved(), p.signer)
		if err != nil {
			return fmt.Errorf("stream: %w", err)
		}
		moved = append(moved, message)
	}
	if told.Aliases = len(moved); told.Aliases > 0 {
		if err := p.write(ctx, moved...); err != nil {
			return fmt.Errorf("the aliases could not be written again: %w", err)
		}
	}
	p.notify(told)
	return nil
}
