package follow

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// topicLog is what a follower asks of Kafka; *kafka.Client has it.
type topicLog interface {
	Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (next int64, err error)
}

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

// alias is the one that is followed; stable if none was named.
func (r *reader) alias() string { return cmp.Or(r.options.Alias, StableAlias) }

// choose swaps to the document that is to be used now, if it is another one and good.
func (r *reader) choose(ctx context.Context) error {
	name := r.alias()
	m, there := r.topic.aliases[name]
	if r.options.Alias == "" {
		r.stable = r.stable || there
		// A reader that knows only a refused record of stable cannot know whether there is a stable version.
		if decides := r.current != nil; !r.stable && (decides || r.topic.withheld == nil) {
			name = LatestAlias
		}
	}
	if name == LatestAlias {
		return r.newest(ctx)
	}
	if !there {
		r.forget()
		r.withhold(name)
		return nil
	}
	r.tellUnwatched(name, m.alias.UnwatchedSince)
	at := m.alias.Place()
	if m.bad || r.current != nil && r.current.Alias == name && r.at() == at {
		return nil
	}
	_, there = r.topic.documents[at]
	if !there {
		if r.waiting != at {
			r.waiting = at
			r.options.Notify(Waiting{name, at.Term, at.Version})
		}
		return nil
	}
	model, err := r.load(ctx, at)
	if err != nil || model == nil {
		return err
	}
	if model.Document.WeightsSHA256 != m.alias.WeightsSHA256 {
		m.bad = true
		r.topic.aliases[name] = m
		r.options.Notify(Refused{modeltopic.AliasKey(r.options.Job, name), m.offset, fmt.Errorf("it speaks of weights %s, and version %d has %s",
			m.alias.WeightsSHA256, at.Version, model.Document.WeightsSHA256)})
		return nil
	}
	r.swap(model, name)
	return nil
}

// newest swaps to the highest document that is good and above the present one.
func (r *reader) newest(ctx context.Context) error {
	above := func(at modeltopic.Place) bool {
		return r.current == nil || r.current.Alias != LatestAlias || at.Compare(r.at()) > 0
	}
	places := []modeltopic.Place{r.topic.last}
	if _, there := r.topic.documents[r.topic.last]; !r.swapped() || !there {
		places = slices.SortedFunc(maps.Keys(r.topic.documents), func(a, b modeltopic.Place) int { return b.Compare(a) })
	}
	for _, at := range places {
		if !above(at) {
			return nil
		}
		model, err := r.load(ctx, at)
		if err != nil {
			return err
		}
		if model != nil {
			r.swap(model, LatestAlias)
			return nil
		}
	}
	return nil
}

// swapped says whether a document of the alias latest is in use: then only the last one read can be above it.
func (r *reader) swapped() bool {
	return r.current != nil && r.current.Alias == LatestAlias && r.caught
}

func (r *reader) at() modeltopic.Place {
	return modeltopic.Place{Term: r.current.Term, Version: r.current.Version}
}

// tellUnwatched tells since when the owner no longer watches the alias, if that has changed.
func (r *reader) tellUnwatched(name string, since time.Time) {
	if since.Equal(r.since) {
		return
	}
	r.since = since
	r.unwatch(since)
	r.options.Notify(Unwatched{name, since})
}

// withhold tells once why nothing is known of an alias.
func (r *reader) withhold(name string) {
	if w := r.topic.withheld; w != nil && w != r.told && r.current == nil {
		r.told = w
		r.options.Notify(Withheld{name, *w})
	}
}

// forget gives up the document of an alias that was deleted, if that is wanted.
func (r *reader) forget() {
	if before := r.current; r.options.Forget && before != nil {
		r.current = nil
		r.use(nil)
		r.options.Notify(Forgotten{before})
	}
}

func (r *reader) swap(m *Model, alias string) {
	m.Alias = alias
	before := r.current
	r.current, r.waiting = m, modeltopic.Place{}
	r.use(m)
	r.options.Notify(Swapped{m, before})
}

// load verifies a document. It is nil if the document is refused or the cleaner has removed it.
func (r *reader) load(ctx context.Context, at modeltopic.Place) (*Model, error) {
	found := r.topic.documents[at]
	if found.bad {
		return nil, nil
	}
	value := r.topic.bytes
	if r.topic.last != at {
		var err error
		if value, err = r.valueAt(ctx, at, found.offset); err != nil || value == nil {
			return nil, err
		}
	}
	d, err := check(r.options.Job, at, value)
	if err != nil {
		r.topic.documents[at] = entry{offset: found.offset, bad: true}
		r.options.Notify(Refused{modeltopic.DocumentKey(r.options.Job, at), found.offset, err})
		return nil, nil //nolint:nilerr // it was told, and the last good one stays
	}
	m := &Model{Document: d, Term: at.Term, Version: at.Version, Offset: found.offset}
	if found.written > 0 {
		m.Published = time.UnixMilli(found.written).UTC()
	}
	return m, nil
}

// valueAt reads a document again.
func (r *reader) valueAt(ctx context.Context, at modeltopic.Place, offset int64) (value []byte, err error) {
	key := modeltopic.DocumentKey(r.options.Job, at)
	_, err = r.log.Read(ctx, r.options.Topic, 0, offset, offset+1, func(record *kafka.Record) error {
		if string(record.Key) == key && record.Value != nil && modeltopic.Verify(r.verifier, record) == nil {
			value = append([]byte(nil), record.Value...)
		}
		return nil
	})
	return value, err
}

// check verifies a document by its key, and that it can be loaded.
func check(job string, at modeltopic.Place, value []byte) (*document.Document, error) {
	d, err := document.Parse(value)
	if err != nil {
		return nil, err
	}
	if d.Job != job || d.Version != at.Version || d.Lineage.Term != at.Term {
		return nil, fmt.Errorf("follow: the document says job %q, version %d and term %d, and its key disagrees", d.Job, d.Version, d.Lineage.Term)
	}
	if _, err := d.Schema(); err != nil {
		return nil, err
	}
	if d.Task == document.Regression {
		_, err = d.Regressor()
	} else {
		_, err = d.Classifier()
	}
	return d, err
}
