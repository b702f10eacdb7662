package follow

import (
	"cmp"
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
	unwatch  func(since time.Time)
	reached  func() // the end of the topic was reached

	topic   contents
	current *Model
	stable  bool // the alias stable was seen, if no alias was named
	waiting modeltopic.Place
	since   time.Time // unwatched, as it was told
	told    *Refused  // the last that was told as Withheld
	caught  bool      // all documents up to the end of the topic were considered once
}

// contents is what the topic holds of the job. Of documents it keeps where they are, and the bytes of the last one alone.
type contents struct {
	rule      modeltopic.Rule
	documents map[modeltopic.Place]entry
	aliases   map[string]move
	// withheld is why the alias that is followed is not known: its last record was refused or, where signatures are required, deleted.
	withheld *Refused
	last     modeltopic.Place
	bytes    []byte
}

func newContents(job string, verifier *signature.Verifier) contents {
	return contents{rule: modeltopic.Rule{Job: job, Verifier: verifier}, documents: map[modeltopic.Place]entry{}, aliases: map[string]move{}}
}

// entry is a document on the topic.
type entry struct {
	offset int64
	bad    bool // it was read, and refused
}

// move is the last move of an alias that counts.
type move struct {
	alias  modeltopic.Alias
	offset int64
	bad    bool // its document has other weights
}

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
	next, err := r.log.Read(ctx, r.options.Topic, 0, kafka.Earliest, kafka.End, r.apply)
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
		if err := r.apply(record); err != nil {
			return err
		}
		return r.choose(ctx)
	})
	return err
}

// apply follows one record.
func (r *reader) apply(record *kafka.Record) error {
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
		r.topic.documents[change.At] = entry{offset: record.Offset}
		r.topic.last, r.topic.bytes = change.At, append(r.topic.bytes[:0], record.Value...)
	case change.Kind == modeltopic.IsAlias:
		r.moved(change, record)
	}
	return nil
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

// errDeleted is for the alias stable, which no owner deletes; owners delete others.
var errDeleted = errors.New("it was deleted, and a deletion cannot be signed")

// alias is the one that is followed; stable if none was named.
func (r *reader) alias() string { return cmp.Or(r.options.Alias, StableAlias) }
