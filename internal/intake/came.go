package intake

import (
	"cmp"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/observe"
)

const (
	// marksInSlack is how many marks fit in the slack, a tenth of the age: a time that is wrong holds up what is behind it by two marks, a twentieth of the age.
	marksInSlack = 4
	// mostMarks bounds them. Of more, each second one is left out, which bounds times less closely.
	mostMarks = 128
	// mostAhead is by how much the time of the records may be ahead: clocks differ, and so do time zones.
	mostAhead = 26 * time.Hour
)

// ahead says whether the time of the records cannot be right: so many clocks are wrong that it was taken to be certain.
func (c *clock) ahead(now time.Time) bool { return c.At > now.Add(mostAhead).UnixMilli() }

// note marks the time behind the entry of that number, if it has just become much later than at the last mark, and by records behind that mark alone.
func (c *clock) note(number int64) {
	begun, last := c.begun, len(c.Marks)-1
	c.begun = 0
	if begun == 0 || last >= 0 && (begun <= c.Marks[last].Ticks || c.At-c.Marks[last].At < c.slack/marksInSlack) {
		return
	}
	if c.Marks = append(c.Marks, mark{number, c.At, c.Ticks}); len(c.Marks) > mostMarks {
		i := 0
		c.Marks = slices.DeleteFunc(c.Marks, func(mark) bool { i++; return i%2 == 0 })
	}
}

// came is the time that an entry is kept with: 0 if its record has none.
func (c *clock) came(e *observe.Entry) int64 {
	if ms := TimeOf(e).UnixMilli(); ms > 0 && (ownTime(e) || !c.Own) {
		return ms
	}
	return 0
}

// since is for how long the oldest entry has waited, in milliseconds. The clock lags behind by as many records as move it, so the time of an entry may
// be later than that of the clock and still be right. If it is wrong, as from a clock that is ahead by years, nothing behind the entry would ever be
// old enough. So it is at most the time at the second mark behind the entry: all records that moved the clock there came later.
// They were read later, that is. If a partition of which a hundred records span more than the age is read ahead of the others, its records can lie behind what
// these mark, and give up their labels early: nobody can tell such times from wrong ones.
func (c *clock) since(at, number int64) int64 {
	first, _ := slices.BinarySearchFunc(c.Marks, number, func(m mark, number int64) int { return cmp.Compare(m.Number, number) })
	c.Marks = slices.Delete(c.Marks, 0, min(first, max(0, len(c.Marks)-1))) // no older entry waits
	switch bounded := len(c.Marks) > 1 && c.Marks[0].Number >= number; {
	case bounded && (at == 0 || at > c.Marks[1].At):
		at = c.Marks[1].At
	case at == 0: // all is as new as the clock
		return 0
	}
	return c.Slowest - at
}

// TimeOf is the time of an entry: that of its record, or Kafka's; zero if it has none.
func TimeOf(e *observe.Entry) time.Time {
	switch {
	case ownTime(e):
		return e.Record.Time
	case e.Source.Timestamp > 0:
		return time.UnixMilli(e.Source.Timestamp)
	}
	return time.Time{}
}

// ownTime says whether the record of an entry has a time of its own.
func ownTime(e *observe.Entry) bool { return e.Rejection == nil && !e.Record.Time.IsZero() }
