package intake

import (
	"cmp"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Held is a partition whose next record waits for its schema.
type Held struct {
	Partition int32
	// Offset is where the partition stands.
	Offset int64
	// Schema names the schema.
	Schema string
	Since  time.Time
	told   bool
}

// Holds are the partitions that wait for a schema; they belong to the learner's goroutine. A record whose schema is not there yet ends its delivery.
// The source then leaves the partition alone, and reads it again from that record once the schema is known or condemned. So what waits takes no
// memory, the other partitions go on, and for a snapshot the partition stands before the record.
type Holds struct {
	source cluster.Source
	turns  map[int32]int // how often a partition was held
	held   []Held        // by partition
}

// NewHolds holds nothing yet.
func NewHolds(source cluster.Source) *Holds { return &Holds{source: source, turns: map[int32]int{}} }

// Passed says whether a delivery was fetched before its partition was held: it will come again.
func (h *Holds) Passed(d *cluster.Delivery) bool { return d.Turn != h.turns[d.Partition] }

// Hold has a partition wait, of which a delivery is used no further.
func (h *Holds) Hold(d *cluster.Delivery, l *Ledger, pending *format.Pending) {
	from := kafka.Place{Partition: d.Partition, ID: d.ID, Offset: l.Next, Epoch: int32(l.LeaderEpoch)}
	if l.Next < 0 { // it was gone, and is back
		from.Offset, from.Epoch = d.First, -1
	}
	now := Held{Partition: d.Partition, Offset: from.Offset, Schema: pending.Schema, Since: time.Now()}
	at, found := h.find(d.Partition)
	switch {
	case !found:
		h.held = slices.Insert(h.held, at, now)
	case h.held[at].Offset != now.Offset:
		h.held[at] = now
	default: // it waits on, for the same schema or for another one of the same record
		h.held[at].Schema = now.Schema
	}
	h.turns[d.Partition]++
	h.source.Hold(from, pending.Ready)
}

// Free notes that a partition goes on, and says whether it was held.
func (h *Holds) Free(partition int32) bool {
	at, found := h.find(partition)
	if found {
		h.held = slices.Delete(h.held, at, at+1)
	}
	return found
}

func (h *Holds) find(partition int32) (at int, found bool) {
	return slices.BinarySearchFunc(h.held, partition, func(x Held, p int32) int { return cmp.Compare(x.Partition, p) })
}

// Held is a copy.
func (h *Holds) Held() []Held { return slices.Clone(h.held) }

// longHold is the age at which a hold is told of: a schema that is there takes less.
const longHold = 10 * time.Second

// Observe gives the partitions that have been held for longHold now, each once.
func (h *Holds) Observe(now time.Time) (all []Held) {
	for i := range h.held {
		if x := &h.held[i]; !x.told && now.Sub(x.Since) >= longHold {
			x.told = true
			all = append(all, *x)
		}
	}
	return all
}
