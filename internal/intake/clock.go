package intake

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// clock is the time of the records, as far as it is certain: of each partition the least time of so many records in a row. A few records with a time in
// the future do not move it.
//
// A label comes behind its record in the same partition, and partitions are read at different paces, above all when a job catches up. So ages are
// counted by the slowest partition. By the newest time of all, the records of a partition that is behind would have waited too long before their labels
// are read. A partition of which all is read holds the time up by no more than slack: perhaps nothing comes to it any more.
type clock struct {
	slack int64 // milliseconds; a part of the age, and no state
	// At is the newest time of a partition, and Slowest the oldest time of one that is read, both in milliseconds since 1970; 0: not known yet.
	At      int64 `json:"at"`
	Slowest int64 `json:"slowest,omitempty"`
	// Own says that records have brought times of their own, and not only Kafka's.
	Own   bool   `json:"own,omitempty"`
	Ticks int64  `json:"ticks,omitempty"` // records with a time
	Hands []hand `json:"hands,omitempty"`
	// Marks bound the times of records: see since.
	Marks []mark `json:"marks,omitempty"`
	begun int64  // ticks at the first of the records that have just moved At; 0: none have. No state: note takes it at once
}

// mark says that the newest time of a partition became At when Number was the newest entry that waited. Ticks are those of the clock.
type mark struct {
	Number int64 `json:"number"`
	At     int64 `json:"at"`
	Ticks  int64 `json:"ticks"`
}

// hand is the time of a partition.
type hand struct {
	Partition int32 `json:"partition"`
	At        int64 `json:"at"`    // 0: not known yet
	Least     int64 `json:"least"` // of the Seen records since it moved last
	Seen      int   `json:"seen"`
	Began     int64 `json:"began,omitempty"` // ticks of the clock at the first of these
	Last      int64 `json:"last"`            // ticks of the clock at its last record
	rests     bool  // all of it is read; no state, since more may have come when a process goes on
}

const (
	// certain is how many records in a row move the hand of the only partition. Of several partitions it takes fewer, but leastCertain.
	certain      = 100
	leastCertain = 10
	// idle is after how many records, for each partition, one that brought none of them no longer holds the clock up: more than are fetched of a partition
	// at once.
	idle = 20_000
)

// tick takes in the time of a record of a partition, and says whether ages grew. Once records have times of their own, Kafka's do not count: those of
// labels may be years later where the past is read.
func (c *clock) tick(partition int32, at time.Time, own bool) (moved bool) {
	ms := at.UnixMilli()
	if at.IsZero() || ms <= 0 || c.Own && !own { // 1970 stands for a time that is not known
		return false
	}
	if own && !c.Own {
		*c = clock{Own: true, slack: c.slack}
	}
	h := c.hand(partition)
	awake := c.awake(h) && !h.rests
	c.Ticks++
	h.rests = false
	h.Last = c.Ticks
	if h.Seen == 0 {
		h.Least, h.Began = ms, c.Ticks
	}
	h.Least = min(h.Least, ms)
	if !awake || h.At == 0 { // it may be behind all others
		c.Slowest = min(c.Slowest, h.time())
	}
	if h.Seen++; h.Seen < max(leastCertain, certain/len(c.Hands)) {
		return false
	}
	if h.Seen = 0; h.Least <= h.At {
		return false
	}
	if h.At = h.Least; h.At > c.At {
		c.At, c.begun = h.At, h.Began
	}
	return c.turn()
}

// hand is that of a partition.
func (c *clock) hand(partition int32) *hand {
	i := slices.IndexFunc(c.Hands, func(h hand) bool { return h.Partition == partition })
	if i < 0 {
		i = len(c.Hands)
		c.Hands = append(c.Hands, hand{Partition: partition, Last: c.Ticks})
	}
	return &c.Hands[i]
}

// time is the least that the records of the partition may have now.
func (h *hand) time() int64 {
	return cmp.Or(h.At, h.Least)
}

// awake says whether the partition is read.
func (c *clock) awake(h *hand) bool { return c.Ticks-h.Last < int64(idle*len(c.Hands)) }

// rest takes note of which partitions all is read, and says whether ages grew.
func (c *clock) rest(is func(partition int32) bool) (moved bool) {
	more := false
	for i := range c.Hands {
		h := &c.Hands[i]
		switch rests := is(h.Partition); {
		case rests == h.rests:
		case rests:
			h.rests, more = true, true
		default:
			h.rests = false
			c.Slowest = min(c.Slowest, h.time())
		}
	}
	return more && c.At != 0 && c.turn() // nothing has an age before the time is known
}

// turn finds the slowest hand, and says whether that moved.
func (c *clock) turn() (moved bool) {
	slowest := int64(math.MaxInt64)
	for i := range c.Hands {
		h := &c.Hands[i]
		if !c.awake(h) {
			continue
		}
		at := h.time()
		if h.rests {
			at = max(at, c.At-c.slack)
		}
		slowest = min(slowest, at)
	}
	moved = slowest > c.Slowest
	c.Slowest = slowest
	return moved
}
