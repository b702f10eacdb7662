package modeltopic

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Topic is the model topic of a job.
type Topic struct {
	Cluster cluster.Cluster
	// Name is empty if the job publishes nothing.
	Name, Job string
	// Verifier decides whose signatures are trusted; nil accepts all records.
	Verifier *signature.Verifier
}

// Reader reads the topic on, time and again.
type Reader struct {
	Topic
	shelf *shelf
	id    kafka.TopicID // of the topic that the shelf was read from
	next  int64         // where the shelf goes on reading
}

// Open makes a reader that has read nothing.
func (t Topic) Open() *Reader {
	return &Reader{Topic: t, shelf: newShelf(t.Job, t.Verifier), next: kafka.Earliest}
}

// Look reads on to the end of the topic.
func (r *Reader) Look(ctx context.Context) error {
	for r.Name != "" {
		if lost, err := r.readOn(ctx); err != nil {
			return err
		} else if lost == nil {
			break
		}
	}
	r.shelf.refused = nil
	return r.shelf.problem()
}

// readOn reads on to the end of the topic. A topic that was made again or cut is read from its beginning, and lost is what it held before; else lost
// is nil. An offset says nothing about a topic that was made again, so whether it is the same is asked each time.
func (r *Reader) readOn(ctx context.Context) (lost *shelf, err error) {
	info, err := r.Cluster.Topic(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	bounds, err := r.Cluster.Bounds(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	if r.id == (kafka.TopicID{}) {
		r.id = info.ID
	}
	if cut := len(bounds) > 0 && bounds[0].End < r.next; r.id == info.ID && !cut {
		next, err := r.Cluster.Read(ctx, r.Name, 0, r.next, kafka.End, r.shelf.apply)
		if loss := (*kafka.DataLoss)(nil); !errors.As(err, &loss) {
			r.next = next
			return nil, err
		}
	}
	lost = r.shelf
	r.id, r.shelf = info.ID, newShelf(r.Job, r.Verifier)
	r.shelf.rule.Own, r.shelf.kept = lost.rule.Own, lost.kept
	r.next, err = r.Cluster.Read(ctx, r.Name, 0, kafka.Earliest, kafka.End, r.shelf.apply)
	return lost, err
}

// Newest is the newest document on the topic.
func (r *Reader) Newest() (m Model, there bool) {
	if places := r.places(); len(places) > 0 {
		m, there = r.shelf.documents[places[len(places)-1]]
	}
	return m, there
}

// places are the documents on the topic, in order.
func (r *Reader) places() []Place {
	return slices.SortedFunc(maps.Keys(r.shelf.documents), Place.Compare)
}

// Latest is the version of the newest document, 0 if there is none.
func (r *Reader) Latest() int64 {
	newest, _ := r.Newest()
	return newest.Version
}

// Highest is the highest term on the topic.
func (r *Reader) Highest() (term int64) {
	term = r.shelf.owner
	for at := range r.shelf.documents {
		term = max(term, at.Term)
	}
	for _, alias := range r.shelf.aliases {
		term = max(term, alias.Term)
	}
	return term
}

// Alias is where an alias points.
func (r *Reader) Alias(name string) (alias Alias, there bool) {
	alias, there = r.shelf.aliases[name]
	return alias, there
}

// Document reads a document; nil if it is not there, or is no document.
func (r *Reader) Document(ctx context.Context, at Place) (*document.Document, error) {
	m, there := r.shelf.documents[at]
	if !there {
		return nil, nil
	}
	message, held, err := r.messageAt(ctx, m.Offset, at)
	if err != nil || !held {
		return nil, err
	}
	d, err := document.Parse(message.Value)
	if err != nil {
		return nil, nil //nolint:nilerr // what cannot be read is as good as gone
	}
	return d, nil
}

// messageAt reads a document again; held is false if the cleaner has removed it.
func (r *Reader) messageAt(ctx context.Context, offset int64, at Place) (message kafka.Message, held bool, err error) {
	key := DocumentKey(r.Job, at)
	_, err = r.Cluster.Read(ctx, r.Name, 0, offset, offset+1, func(record *kafka.Record) error {
		if string(record.Key) == key && record.Value != nil {
			message, held = record.Message(), true
		}
		return nil
	})
	if loss := (*kafka.DataLoss)(nil); errors.As(err, &loss) {
		err = nil // made again or cut a moment ago: the next look notices
	}
	return message, held, err
}
