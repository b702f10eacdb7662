package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

// reader follows the model topic on one goroutine, record by record in the order of the log.
type reader struct {
	log      topicLog
	options  Options
	verifier *signature.Verifier
	use      func(*Model)
	reached  func() // the end of the topic was reached

	topic   contents
	current *Model
	stable  bool            // the alias stable was seen, if no alias was named
	refused map[int64]error // by offset: told already
	waiting modeltopic.Place
	caught  bool // the end of the topic was reached once
}

// contents is what the topic holds of the job. Of documents it keeps where they are, and the bytes of the last one alone.
type contents struct {
	documents map[modeltopic.Place]int64 // offsets
	aliases   map[string]move
	last      modeltopic.Place
	bytes     []byte
}

// move is the last move of an alias that counts.
type move struct {
	alias  modeltopic.Alias
	owner  int64 // term of who moved it
	offset int64
}

// followAgain is the pause before a topic that was deleted is looked for again.
const followAgain = time.Second

// follow reads until ctx ends, or Kafka refuses for good. A topic that was made again is read from its beginning.
func (r *reader) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		r.topic = contents{documents: map[modeltopic.Place]int64{}, aliases: map[string]move{}}
		r.refused, r.caught = map[int64]error{}, false
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
	next, err := r.log.Read(ctx, r.options.Topic, 0, kafka.Earliest, kafka.End, r.apply)
	if err != nil {
		return err
	}
	// What was superseded on the way is never used: only now it is known.
	r.caught = true
	if err := r.choose(ctx); err != nil {
		return err
	}
	r.reached()
	_, err = r.log.Read(ctx, r.options.Topic, 0, next, kafka.Forever, func(record *kafka.Record) error {
		if err := r.apply(record); err != nil {
			return err
		}
		return r.choose(ctx)
	})
	return err
}

// apply follows one record.
func (r *reader) apply(record *kafka.Record) error {
	kind, at, name := modeltopic.ParseKey(r.options.Job, record.Key)
	if kind != modeltopic.IsDocument && kind != modeltopic.IsAlias {
		return nil
	}
	forged := modeltopic.Verify(r.verifier, record)
	switch {
	case forged != nil:
		r.refuse(string(record.Key), record.Offset, forged)
	case kind == modeltopic.IsDocument && record.Value == nil:
		delete(r.topic.documents, at)
	case kind == modeltopic.IsDocument:
		r.topic.documents[at] = record.Offset
		r.topic.last, r.topic.bytes = at, append(r.topic.bytes[:0], record.Value...)
	case record.Value == nil:
		delete(r.topic.aliases, name)
	default:
		r.moved(name, record)
	}
	return nil
}

// moved follows a move of an alias, unless an earlier owner made it late.
func (r *reader) moved(name string, record *kafka.Record) {
	alias, err := modeltopic.ParseAlias(r.options.Job, record.Value)
	if err != nil {
		r.refuse(string(record.Key), record.Offset, err)
		return
	}
	m := move{alias: alias, owner: modeltopic.Owner(r.verifier, record.Headers(), alias), offset: record.Offset}
	if before, known := r.topic.aliases[name]; known && m.owner < before.owner && name != LatestAlias {
		r.refuse(string(record.Key), record.Offset, fmt.Errorf("an owner of term %d moved it, after one of term %d", m.owner, before.owner))
		return
	}
	r.topic.aliases[name] = m
}

// refuse reports a record that is not used, once.
func (r *reader) refuse(key string, offset int64, err error) {
	if _, told := r.refused[offset]; !told {
		r.refused[offset] = err
		r.options.Notify(Refused{key, offset, err})
	}
}
