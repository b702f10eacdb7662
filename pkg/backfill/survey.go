package backfill

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// DefaultSample is how many records the columns and their weights are found from at first.
	DefaultSample = 1_000_000
	// newestShare of the records are in no sum, at most mostNewest. What is measured of them decides how near to tau the weights may come, so a
	// short history needs half of its records for that; a long one fills the windows with a small part.
	newestShare = .5
	mostNewest  = 1_000_000
	// windowsOfNewest is how many windows of a side the newest records fill, if there are so many.
	windowsOfNewest = 8
)

// Survey is what one pass over all records finds.
type Survey struct {
	// Records are good ones, Labelled those of them with a label, Weight the sum of the weights of these.
	Records  int64 `json:"records"`
	Labelled int64 `json:"labelled"`
	// Timeless have no time where records are ordered by it, and are the first.
	Timeless int64   `json:"timeless,omitempty"`
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
	reader            *reader
	records, labelled int64
	timeless          int64
	weight            fixed
	sample            least[uint64]
	newest            least[Place]
}

// surveying returns a survey of no records.
func (r *reader) surveying(config model.Config, sample int) *surveyed {
	window := int64(windowsOfNewest * config.WithDefaults().Learner.Window)
	return &surveyed{reader: r, sample: least[uint64]{most: sample, compare: cmp.Compare[uint64]},
		newest: least[Place]{most: int(min(mostNewest, window)), compare: func(a, b Place) int { return b.compare(a) }}}
}

func (s *surveyed) take(at Place, rec *record.Record) {
	s.records++
	if rec.HasLabel {
		s.labelled++
		s.weight.add(toFixed(rec.Weight))
	}
	if s.reader.byTime && rec.Time.IsZero() {
		s.timeless++
	}
	s.sample.add(s.reader.hash(at))
	s.newest.add(at)
}

func (s *surveyed) join(other part) {
	o := other.(*surveyed)
	s.records, s.labelled, s.timeless = s.records+o.records, s.labelled+o.labelled, s.timeless+o.timeless
	s.weight.merge(o.weight)
	for _, hash := range o.sample.items {
		s.sample.add(hash)
	}
	for _, at := range o.newest.items {
		s.newest.add(at)
	}
}

func (s *surveyed) fields(c *codec.Coder) {
	if !c.Reading() {
		s.sample.cut()
		s.newest.cut()
	}
	c.Count(&s.records)
	c.Count(&s.labelled)
	c.Count(&s.timeless)
	s.weight.fields(c)
	codec.Slice(c, &s.sample.items, 1, func(hash *uint64) { c.Uint(hash) })
	codec.Slice(c, &s.newest.items, 3, func(at *Place) { at.fields(c, len(s.reader.keys)) })
}

// survey counts all records, and finds which are in the sample and which are the newest.
func (r *reader) survey(ctx context.Context, config model.Config, sample int) (Survey, error) {
	found, err := r.over(ctx, surveyPass, sample, func(int) part { return r.surveying(config, sample) })
	if err != nil {
		return Survey{}, err
	}
	all := found.(*surveyed)
	all.sample.cut()
	all.newest.cut()
	s := Survey{Records: all.records, Labelled: all.labelled, Timeless: all.timeless, Weight: all.weight.value(), Last: math.MaxUint64}
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
func (s *Survey) isNewest(at Place, _ uint64) bool { return s.Newest > 0 && at.compare(s.From) >= 0 }

// isSampled says whether a record is one of those that the columns are found from.
func (s *Survey) isSampled(at Place, hash uint64) bool {
	return hash <= s.Last && !s.isNewest(at, hash)
}

// gathered are records, in an order once they are all there.
type gathered struct {
	reader  *reader
	wants   func(at Place, hash uint64) bool
	shelves []*shelf // the first takes in records
	books   []shelved
}

type shelved struct {
	book
	shelf *shelf
}

// gathering gathers the records that a choice wants.
func (r *reader) gathering(wants func(at Place, hash uint64) bool) *gathered {
	return &gathered{reader: r, wants: wants, shelves: []*shelf{{}}}
}

func (g *gathered) take(at Place, rec *record.Record) {
	if hash := g.reader.hash(at); g.wants(at, hash) {
		first := g.shelves[0]
		g.books = append(g.books, shelved{first.put(rec, at, hash), first})
	}
}

func (g *gathered) join(other part) {
	o := other.(*gathered)
	g.shelves, g.books = append(g.shelves, o.shelves...), append(g.books, o.books...)
}

func (g *gathered) fields(c *codec.Coder) {
	codec.Slice(c, &g.shelves, 2, func(s **shelf) {
		if c.Reading() {
			*s = &shelf{}
		}
		(*s).fields(c)
	})
	codec.Slice(c, &g.books, 7, func(b *shelved) {
		at := slices.Index(g.shelves, b.shelf)
		if codec.Index(c, &at, len(g.shelves)); c.Err() == nil {
			b.shelf = g.shelves[at]
			b.fields(c, b.shelf, len(g.reader.keys))
		}
	})
}

// gather keeps the records that a choice wants, in their order.
func (r *reader) gather(ctx context.Context, is kind, s *Survey, wants func(at Place, hash uint64) bool, compare func(a, b book) int) (*gathered, error) {
	found, err := r.over(ctx, is, s, func(int) part { return r.gathering(wants) })
	if err != nil {
		return nil, err
	}
	g := found.(*gathered)
	slices.SortFunc(g.books, func(a, b shelved) int { return compare(a.book, b.book) })
	return g, nil
}

// each hands on all records in their order.
func (g *gathered) each(attributes int, take func(r *record.Record)) {
	var rec record.Record
	for _, b := range g.books {
		b.shelf.get(b.book, &rec, attributes)
		take(&rec)
	}
}
