package sequence

import (
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table/changes"
)

// Clocks finds times of another zone, and times in the wrong order.
func Clocks(s *find.Search) {
	var times []string
	for _, c := range s.Columns {
		if c.Kind != profile.Time {
			continue
		}
		times = append(times, c.Name)
		if clock, found := changes.Clock(&s.Even, c.Name, s.IsRead); found {
			where := "from some time on"
			if clock.Category != "" {
				where = fmt.Sprintf("where %q is %s", clock.Category, s.TextOf(clock.Category, clock.Level))
			}
			s.Say(false, "record", "the hours of %q are moved by %d %s: are these times in another zone? Write all in one, with its offset, where the records are made", c.Name, clock.Hours, where)
		} else if changes.Halved(&s.Even, c.Name) {
			s.Say(false, "record", "no time of %q is after 12:59, and none before 1:00: was AM or PM lost? Write times with 24 hours where the records are made", c.Name)
		}
		if at, rows := changes.Edge(&s.Even, c.Name); rows > 0 {
			text := time.Unix(int64(at), 0).UTC().Format(time.DateOnly)
			s.Say(false, "record.missing", "add the text of %s if it stands for \"not known\": %q is that in %d of %d records, and far from it in all others", text, c.Name, rows, s.Even.Rows())
		}
	}
	for i, second := range times {
		for _, first := range times[:i] {
			earlier, later := first, second
			wrong, right := changes.Later(&s.Even, first, second)
			if wrong > right {
				earlier, later, wrong, right = second, first, right, wrong
			}
			if wrong >= fewDisordered && wrong+right >= find.Enough && float64(wrong) <= mostDisordered*float64(wrong+right) {
				s.Say(false, "record", "in %d of %d records %q is before %q, in all others it is after: mend these times where the records are made", wrong, wrong+right, later, earlier)
			}
		}
	}
}

const (
	// Times are in the wrong order in so many records, and at most this share of them.
	fewDisordered  = 5
	mostDisordered = .03
)

// Backwards finds records that are not in the order of their times, though they lie beside each other by them.
func Backwards(s *find.Search) {
	for _, c := range s.Columns {
		if c.Kind != profile.Time && c.Name != s.Config.Record.Time.Field || profile.IsAttributeName(c.Name) { // as a date of birth
			continue
		}
		switch changes.Backwards(&s.Even, c.Name) {
		case changes.NewestFirst:
			s.Say(false, "record", "the records go from the newest to the oldest by %q. They are learnt in their order, and the last count most: sort them by it, the oldest first", c.Name)
			return
		case changes.LaterFirst:
			s.Say(false, "record", "the first records are later by %q than the last, and in between time goes on: were files given in the wrong order? Give the oldest first, since records are learnt in their order", c.Name)
			return
		}
	}
}

// Sorted finds records that are sorted by a number.
func Sorted(s *find.Search) {
	if s.Nearly > 0 { // they are beside each other
		return
	}
	for _, c := range s.Columns {
		e := s.Ends[c.Name]
		if e == nil || !s.IsAmount(c.Name) || c.Values < find.Enough || profile.IsTimeName(c.Name) || profile.IsPeriodName(c.Name) {
			continue
		}
		if e.Sorted() {
			s.Say(false, "record", "the records are sorted by %q. They are learnt in their order, so shuffle a sorted file (replay --shuffle 1). If only this column was sorted, its numbers are beside the wrong records: join them by an identifier",
				c.Name)
			return
		}
	}
}
