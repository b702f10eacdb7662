package intake

import (
	"time"

	"github.com/fairstream/fairstream/internal/observe"
)

// clock is the time of the records, as far as it is certain: the least time of so many records in a row. A few records with a time in the
// future do not move it.
type clock struct {
	// At is the time, First what it was first, and Least the least of the Seen records since it moved last, all in milliseconds since 1970; 0:
	// not known yet.
	At    int64 `json:"at"`
	First int64 `json:"first"`
	Least int64 `json:"least"`
	Seen  int   `json:"seen"`
}

// certain is how many records in a row move the clock.
const certain = 100

// tick takes in the time of a record, and says whether the clock moved.
func (c *clock) tick(at time.Time) (moved bool) {
	if at.IsZero() {
		return false
	}
	ms := at.UnixMilli()
	if c.Seen == 0 || ms < c.Least {
		c.Least = ms
	}
	if c.Seen++; c.Seen < certain {
		return false
	}
	c.Seen = 0
	if c.Least <= c.At {
		return false
	}
	if c.At = c.Least; c.First == 0 {
		c.First = c.At
	}
	return true
}

// of is the time that a record is taken to have come at: its own, unless that is in the future; 0 while the time is not known.
func (c *clock) of(at time.Time) int64 {
	if ms := at.UnixMilli(); !at.IsZero() && ms > 0 && ms < c.At {
		return ms
	}
	return c.At
}

// since is for how long the record of that time has waited, in milliseconds.
func (c *clock) since(at int64) int64 {
	if at == 0 { // it came before the time was known
		at = c.First
	}
	return c.At - at
}

// TimeOf is the time of an entry: that of its record, or Kafka's; zero if it has none.
func TimeOf(e *observe.Entry) time.Time {
	switch {
	case e.Rejection == nil && !e.Record.Time.IsZero():
		return e.Record.Time
	case e.Source.Timestamp > 0:
		return time.UnixMilli(e.Source.Timestamp)
	}
	return time.Time{}
}
