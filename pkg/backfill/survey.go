package backfill

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// DefaultSample is how many records the columns and their weights are found from at first.
	DefaultSample = 1_000_000
	// newestShare of the records are in no sum, at most mostNewest.
	newestShare = .1
	mostNewest  = 1_000_000
	// windowsOfNewest is how many windows of a side the newest records fill, if there are so many.
	windowsOfNewest = 8
)

// Survey is what one pass over all records finds.
type Survey struct {
	// Records are good ones, Labelled those of them with a label, Weight the sum of the weights of these.
	Records  int64   `json:"records"`
	Labelled int64   `json:"labelled"`
	Weight   float64 `json:"weight"`
	// Newest is how many records are in no sum, From the first of them in the order of all.
	Newest int64 `json:"newest"`
	From   Place `json:"from"`
	// Last has the highest hash of the sample.
	Last uint64 `json:"last_hash"`
}

// least keeps the least of all that it is given.
type least[T any] struct {
	most    int
	compare func(a, b T) int
	items   []T
	full    bool // items[most-1] is the greatest that still matters
}

func (l *least[T]) add(item T) {
	if l.full && l.compare(item, l.items[l.most-1]) >= 0 {
		return
	}
	if l.items = append(l.items, item); len(l.items) >= 2*l.most {
		l.cut()
	}
}

func (l *least[T]) cut() {
	slices.SortFunc(l.items, l.compare)
	if l.full = len(l.items) >= l.most; l.full {
		l.items = l.items[:l.most]
	}
}

// surveyed is the survey of a shard.
type surveyed struct {
	records, labelled int64
	weight            fixed
	sample            least[uint64]
	newest            least[Place]
}

// survey counts all records, and finds which are in the sample and which are the newest.
func (r *reader) survey(ctx context.Context, config model.Config, sample int) (Survey, error) {
	window := int64(windowsOfNewest * config.WithDefaults().Learner.Window)
	most := int(min(mostNewest, window))
	parts := make([]surveyed, r.shards)
	for i := range parts {
		parts[i].sample = least[uint64]{most: sample, compare: cmp.Compare[uint64]}
		parts[i].newest = least[Place]{most: most, compare: func(a, b Place) int { return b.compare(a) }}
	}
	err := r.pass(ctx, func(shard int) func(Place, *record.Record) {
		part := &parts[shard]
		return func(at Place, rec *record.Record) {
			part.records++
			if rec.HasLabel {
				part.labelled++
				part.weight.add(toFixed(rec.Weight))
			}
			part.sample.add(r.hash(at))
			part.newest.add(at)
		}
	})
	if err != nil {
		return Survey{}, err
	}
	all := &parts[0]
	for i := range parts[1:] {
		part := &parts[1+i]
		all.records, all.labelled = all.records+part.records, all.labelled+part.labelled
		all.weight.merge(part.weight)
		for _, hash := range part.sample.items {
			all.sample.add(hash)
		}
		for _, at := range part.newest.items {
			all.newest.add(at)
		}
	}
	all.sample.cut()
	all.newest.cut()
	s := Survey{Records: all.records, Labelled: all.labelled, Weight: all.weight.value(), Last: math.MaxUint64}
	s.Newest = min(int64(float64(s.Records)*newestShare), int64(len(all.newest.items)))
	if s.Newest > 0 {
		s.From = all.newest.items[s.Newest-1]
	}
	if all.sample.full {
		s.Last = all.sample.items[len(all.sample.items)-1]
	}
	return s, nil
}

// isNewest says whether a record is in no sum.
func (s *Survey) isNewest(at Place) bool { return s.Newest > 0 && at.compare(s.From) >= 0 }

// gather keeps the records that a choice wants, in their order.
func (r *reader) gather(ctx context.Context, wants func(at Place, hash uint64) bool, compare func(a, b book) int) (*gathered, error) {
	shelves := make([]shelf, r.shards)
	books := make([][]book, r.shards)
	err := r.pass(ctx, func(shard int) func(Place, *record.Record) {
		return func(at Place, rec *record.Record) {
			if hash := r.hash(at); wants(at, hash) {
				books[shard] = append(books[shard], shelves[shard].put(rec, at, hash))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	g := &gathered{shelves: shelves}
	for shard := range books {
		for _, b := range books[shard] {
			g.books = append(g.books, shelved{b, shard})
		}
	}
	slices.SortFunc(g.books, func(a, b shelved) int { return compare(a.book, b.book) })
	return g, nil
}

// gathered are records in an order.
type gathered struct {
	shelves []shelf
	books   []shelved
}

type shelved struct {
	book
	shelf int
}

// each hands on all records in their order.
func (g *gathered) each(attributes int, take func(r *record.Record)) {
	var rec record.Record
	for _, b := range g.books {
		g.shelves[b.shelf].get(b.book, &rec, attributes)
		take(&rec)
	}
}
