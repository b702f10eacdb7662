package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// followAgain is the pause before a topic that was deleted is looked for again.
const followAgain = time.Second

// follow reads until ctx ends, or Kafka refuses for good. A topic that was made again is read from its beginning.
func (r *reader) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		r.topic = newContents(r.options.Job, r.verifier)
		r.caught = false
		err := r.readOn(ctx)
		if ctx.Err() != nil {
			break
		}
		if loss := (*kafka.DataLoss)(nil); !errors.As(err, &loss) {
			return fmt.Errorf("follow: topic %s: %w", r.options.Topic, err)
		}
		r.options.Notify(Outage{Operation: "follow " + r.options.Topic, Err: err, Since: time.Now()})
		select {
		case <-time.After(followAgain):
		case <-ctx.Done():
		}
	}
	return nil //nolint:nilerr // Close ended it
}

func (r *reader) readOn(ctx context.Context) error {
	next, err := r.log.Read(ctx, r.options.Topic, 0, kafka.Earliest, kafka.End, func(record *kafka.Record) error {
		r.apply(record)
		return nil
	})
	if err != nil {
		return err
	}
	// What was superseded on the way is never used: only now it is known.
	if err := r.choose(ctx); err != nil {
		return err
	}
	r.caught = true
	r.reached()
	_, err = r.log.Read(ctx, r.options.Topic, 0, next, kafka.Forever, func(record *kafka.Record) error {
		r.apply(record)
		return r.choose(ctx)
	})
	return err
}

// apply follows one record.
func (r *reader) apply(record *kafka.Record) {
	change, refused := r.topic.rule.Follow(record)
	switch {
	case refused != nil:
		told := Refused{string(record.Key), record.Offset, refused.Err}
		r.options.Notify(told)
		if change.Kind == modeltopic.IsAlias && change.Name == r.alias() {
			r.topic.withheld = &told
		}
	case change.Kind == modeltopic.IsDocument && change.Deleted:
		delete(r.topic.documents, change.At)
	case change.Kind == modeltopic.IsDocument:
		r.topic.documents[change.At] = entry{offset: record.Offset, written: record.Timestamp}
		r.topic.last, r.topic.bytes = change.At, append(r.topic.bytes[:0], record.Value...)
	case change.Kind == modeltopic.IsAlias:
		r.moved(change, record)
	}
}

// moved follows a move or a deletion of an alias.
func (r *reader) moved(change modeltopic.Change, record *kafka.Record) {
	if change.Name == r.alias() {
		r.topic.withheld = nil
	}
	if !change.Deleted {
		r.topic.aliases[change.Name] = move{alias: change.Alias, offset: record.Offset}
		return
	}
	delete(r.topic.aliases, change.Name)
	if change.Name == StableAlias && r.alias() == StableAlias && r.verifier != nil {
		r.topic.withheld = &Refused{string(record.Key), record.Offset, errDeleted}
	}
}
