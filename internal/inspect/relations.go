package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
)

// isTold says whether something was said of a column already.
func (s *search) isTold(column string) bool {
	return slices.ContainsFunc(s.found, func(f Finding) bool { return strings.Contains(f.Text, fmt.Sprintf("%q", column)) })
}

// isAmount says whether a column is one of numbers that are learnt.
func (s *search) isAmount(name string) bool {
	c := s.column(name)
	return c != nil && c.Kind == profile.Number && s.isLearnt(name)
}

// leastVaried is how many different numbers a column has of which more is asked than what its single values say.
const leastVaried = 30

func (s *search) isVaried(name string) bool {
	return s.isAmount(name) && s.column(name).Distinct >= leastVaried
}

// multiplied finds a few numbers that are spread as the others are, times a power of ten.
func (s *search) multiplied() {
	for _, c := range s.columns {
		if !s.isVaried(c.Name) || len(codesOf(&c)) > 0 || s.isTold(c.Name) {
			continue
		}
		if factor, rows, of := s.even.Multiplied(c.Name); rows > 0 {
			s.add(false, "record", "%d of %d positive numbers in %q have the distribution of the others, times %s: was a decimal mark lost, or are they in another unit? Write all numbers alike where the records are made",
				rows, of, c.Name, plain(factor))
		}
	}
}

// crossed finds two columns of numbers that are exchanged in a part of the records.
func (s *search) crossed() {
	e, found := s.even.Exchanged(s.isVaried, s.isRead)
	if !found {
		return
	}
	s.changed = append(s.changed, e.First, e.Second)
	switch {
	case e.Category == "":
		s.add(false, "record", "in %d of %d records %q and %q seem to be swapped: each contains what the other contains elsewhere. Write each under its own name where the records are made",
			e.Rows, s.even.Rows(), e.First, e.Second)
	default:
		s.add(false, "record", "where %q is %s, %q and %q seem to be swapped: each has the distribution that the other has elsewhere. Write each under its own name where the records are made",
			e.Category, s.textOf(e.Category, e.Level), e.First, e.Second)
	}
}

// ruled finds labels that follow from a rule in a part of the records.
func (s *search) ruled() {
	const advice = "were these labels filled in by a rule? Leave a label empty where it is not known what happened"
	label := s.config.Record.Label.Field
	if d, found := s.even.Decided(func(name string) bool { return s.isVaried(name) && s.mayTell(name) }, s.isRead); found {
		where := fmt.Sprintf("in the records from %d to %d of %d", d.From+1, d.To, d.Of)
		if d.Column != "" {
			where = fmt.Sprintf("where %q is %s", d.Column, s.textOf(d.Column, d.Level))
		}
		s.add(false, "record.label.field", "%s, %q decides %q alone, and elsewhere it does not: %s", where, d.By, label, advice)
		return
	}
	for _, c := range s.columns {
		if s.akins || !s.mayTell(c.Name) && !slices.Contains(s.attributes, c.Name) || s.isTold(c.Name) {
			continue
		}
		if level, positive, found := s.even.Settled(c.Name); found {
			value, which := s.textOf(c.Name, level.Hash), "negative"
			if c.Kind == profile.Number {
				value = plain(level.Number)
			}
			if positive {
				which = "positive"
			}
			s.add(false, "record.label.field", "all %d records in which %q is %s are %s, and elsewhere both labels are frequent: %s", level.Rows, c.Name, value, which, advice)
			return
		}
		if e := s.ends[c.Name]; c.Kind != profile.Number || c.Distinct < leastScores || isScore(&c) || e != nil && e.factor() != 0 {
			continue
		}
		if at, below, above, found := s.even.Jump(c.Name); found {
			s.add(false, "record.label.field", "the share of positive labels jumps from %s to %s where %q reaches %s: %s", percent(below), percent(above), c.Name, plain(at), advice)
			return
		}
	}
}

// leastDistinctive is the share of different values of a column that may show that records are about the same.
const leastDistinctive = .2

// akin finds records that are about the same, though they differ in several fields.
func (s *search) akin() {
	if copies, _ := s.copies.Found(); copies > 0 || s.nearly > 0 || s.akins {
		return
	}
	label := s.config.Record.Label.Field
	may := func(name string) bool { return name != label && !profile.NamesPerson(name) }
	distinctive := func(name string) bool { return s.column(name).DistinctShare >= leastDistinctive }
	a, found := s.first.Akin(may, distinctive)
	of := s.first.Rows()
	if !found {
		a, found = s.even.Akin(may, distinctive)
		of = s.even.Rows()
	}
	if found {
		s.akins = true
		s.add(false, "record", "%d of %d records have the %q of another record, and agree with it in %d of %d other columns: are they versions of one record, rows that a join repeated, or two exports of the same? Each counts as new evidence, so intervals become too narrow: keep one of each where the records are made",
			a.Rows, of, a.By, a.Alike, a.Of)
	}
}

// breaks finds numbers that are of another kind from some record on.
func (s *search) breaks() {
	for _, c := range s.columns {
		if e := s.ends[c.Name]; !s.isVaried(c.Name) || e == nil || e.factor() != 0 || slices.Contains(s.changed, c.Name) || s.isTold(c.Name) {
			continue
		}
		if low, below, above, high, found := s.even.Breaks(c.Name); found {
			s.add(false, "record", "the numbers in %q range from %s to %s at first, and from %s to %s later: did their unit change, or the way in which they are made? Write all numbers alike where the records are made",
				c.Name, plain(low), plain(below), plain(above), plain(high))
		}
	}
}

// clocks finds times of another zone, and times in the wrong order.
func (s *search) clocks() {
	var times []string
	for _, c := range s.columns {
		if c.Kind != profile.Time {
			continue
		}
		times = append(times, c.Name)
		if clock, found := s.even.Clock(c.Name, s.isRead); found {
			where := "from some time on"
			if clock.Category != "" {
				where = fmt.Sprintf("where %q is %s", clock.Category, s.textOf(clock.Category, clock.Level))
			}
			s.add(false, "record", "the hours of %q are moved by %d %s: are these times in another zone? Write all in one, with its offset, where the records are made", c.Name, clock.Hours, where)
		} else if s.even.Halved(c.Name) {
			s.add(false, "record", "no time of %q is after 12:59, and none before 1:00: was AM or PM lost? Write times with 24 hours where the records are made", c.Name)
		}
		if at, rows := s.even.Edge(c.Name); rows > 0 {
			text := time.Unix(int64(at), 0).UTC().Format(time.DateOnly)
			s.add(false, "record.missing", "add the text of %s if it stands for \"not known\": %q is that in %d of %d records, and far from it in all others", text, c.Name, rows, s.even.Rows())
		}
	}
	for i, second := range times {
		for _, first := range times[:i] {
			earlier, later := first, second
			wrong, right := s.even.Later(first, second)
			if wrong > right {
				earlier, later, wrong, right = second, first, right, wrong
			}
			if wrong >= fewDisordered && wrong+right >= leastNamed && float64(wrong) <= mostDisordered*float64(wrong+right) {
				s.add(false, "record", "in %d of %d records %q is before %q, in all others it is after: mend these times where the records are made", wrong, wrong+right, later, earlier)
			}
		}
	}
}

const (
	// Times are in the wrong order in so many records, and at most this share of them.
	fewDisordered  = 5
	mostDisordered = .03
)

// backwards finds records that are not in the order of their times, though they lie beside each other by them.
func (s *search) backwards() {
	for _, c := range s.columns {
		if c.Kind != profile.Time && c.Name != s.config.Record.Time.Field || profile.IsAttributeName(c.Name) { // as a date of birth
			continue
		}
		switch s.even.Backwards(c.Name) {
		case table.NewestFirst:
			s.add(false, "record", "the records go from the newest to the oldest by %q. They are learnt in their order, and the last count most: sort them by it, the oldest first", c.Name)
			return
		case table.LaterFirst:
			s.add(false, "record", "the first records are later by %q than the last, and in between time goes on: were files given in the wrong order? Give the oldest first, since records are learnt in their order", c.Name)
			return
		}
	}
}

// nextLabels finds columns that hold the label of the next record.
func (s *search) nextLabels() {
	if slices.ContainsFunc(s.found, func(f Finding) bool { return f.order }) {
		return // in records that are sorted any column that tells its own label does
	}
	for _, c := range s.columns {
		if !s.mayTell(c.Name) {
			continue
		}
		if t := s.neighbours.Tells(c.Name, clue.After); t.NearlyAll() {
			s.add(false, "record.ignore", "add %q unless it is known before the label: it tells the label of the next record in %d of %d, so it was probably made from the labels, one row off",
				c.Name, t.Records-t.Wrong, t.Records)
		}
	}
}

// rise counts how often the next of some numbers is larger, and smaller.
type rise struct {
	last     float64
	any      bool
	up, down int
}

func (r *rise) add(x float64) {
	switch {
	case !r.any:
		r.any = true
	case x > r.last:
		r.up++
	case x < r.last:
		r.down++
	}
	r.last = x
}

const (
	// Records are sorted by a column if it steps leastSteps times, and at most one in againstSteps of these in the other direction.
	leastSteps   = 20
	againstSteps = 200
)

// sorted finds records that are sorted by a number.
func (s *search) sorted() {
	if s.nearly > 0 { // they are beside each other
		return
	}
	for _, c := range s.columns {
		e := s.ends[c.Name]
		if e == nil || !s.isAmount(c.Name) || c.Values < leastNamed || profile.IsTimeName(c.Name) || profile.IsPeriodName(c.Name) {
			continue
		}
		if more, fewer := max(e.rise.up, e.rise.down), min(e.rise.up, e.rise.down); more >= leastSteps && againstSteps*fewer <= more {
			s.add(false, "record", "the records are sorted by %q. They are learnt in their order, so shuffle a sorted file (replay --shuffle 1). If only this column was sorted, its numbers are beside the wrong records: join them by an identifier",
				c.Name)
			return
		}
	}
}
