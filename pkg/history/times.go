package history

import "time"

// Clocks says what is known of the clocks of the processes that wrote the history. An entry has the time of its writer's clock, and the
// next writer may have another. The chain knows the order, so an entry counts as written no earlier than the entry before it.
type Clocks struct {
	// Back are the entries whose writer's clock was behind that of the entry before.
	Back []ClockStep `json:"back"`
	// Largest is the longest of these steps in seconds: times and shares of an audit are uncertain by as much.
	Largest float64 `json:"largest_seconds"`
	// Moved is the number of entries that count as later than their writer's clock says.
	Moved int `json:"moved"`
	// Ahead is by how many seconds the last entry is later than the clock of the machine that audits; 0 if it is not.
	Ahead float64 `json:"ahead_seconds"`
}

// ClockStep is where the clock went back.
type ClockStep struct {
	// Sequence and Host are those of the entry whose clock is behind, and Term that of its writer.
	Sequence int64  `json:"sequence"`
	Term     int64  `json:"term"`
	Host     string `json:"host"`
	// Before is the clock of the entry before, Clock that of this one, and Seconds what lies between them.
	Before  time.Time `json:"before"`
	Clock   time.Time `json:"clock"`
	Seconds float64   `json:"seconds"`
}

// timed is an entry with the time at which it counts as written.
type timed struct {
	*Entry
	at time.Time
}

// event is what an audit says of the entry itself.
func (e timed) event() Event {
	said := Event{Sequence: e.Sequence, Time: e.at, Term: e.Term, Who: e.Who}
	if !e.at.Equal(e.Time) {
		said.Clock = e.Time
	}
	return said
}

// timesOf gives entries, in the order of the chain, times that never go back.
func timesOf(entries []*Entry) (all []timed, c Clocks) {
	c.Back = []ClockStep{}
	for i, e := range entries {
		now := timed{e, e.Time}
		if i > 0 {
			before := all[i-1]
			if back := before.Time.Sub(e.Time); back > 0 {
				c.Back = append(c.Back, ClockStep{e.Sequence, e.Term, e.Who.Host, before.Time, e.Time, back.Seconds()})
				c.Largest = max(c.Largest, back.Seconds())
			}
			if before.at.After(now.at) {
				now.at = before.at
				c.Moved++
			}
		}
		all = append(all, now)
	}
	return all, c
}

// ends is the end of a period that holds all entries, if the writer of the last one had a clock ahead of now; else now.
func ends(all []timed, now time.Time) time.Time {
	if len(all) > 0 && !all[len(all)-1].at.Before(now) {
		return all[len(all)-1].at.Truncate(time.Second).Add(time.Second)
	}
	return now
}
