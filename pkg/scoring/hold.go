package scoring

import "github.com/fairstream/fairstream/internal/kafka"

// holds are the partitions whose next record is pending. Such a partition is read again from that record once it can be decoded, so what waits
// takes no memory. They belong to the committer.
type holds struct {
	fetcher holder
	turns   map[int32]int   // how often a partition was held
	epochs  map[int32]int32 // of the leader, before the next offset of a partition; -1 if unknown
}

// holder is a *kafka.Fetcher.
type holder interface {
	Hold(from kafka.Place, ready <-chan struct{})
}

func newHolds(fetcher holder) *holds {
	return &holds{fetcher: fetcher, turns: map[int32]int{}, epochs: map[int32]int32{}}
}

// passed says whether a chunk was fetched before its partition was held: it comes again.
func (h *holds) passed(c *kafka.Chunk) bool { return c.Turn != h.turns[c.Partition] }

// note holds the partition of a task that is pending.
func (h *holds) note(t *task) {
	partition := t.chunk.Partition
	if t.pending == nil {
		h.epochs[partition] = t.chunk.Epoch
		return
	}
	from := kafka.Place{Partition: partition, ID: t.chunk.ID, Offset: t.next, Epoch: -1}
	if t.made.Scored+t.made.Rejected > 0 {
		h.epochs[partition] = t.epoch
	}
	if epoch, known := h.epochs[partition]; known {
		from.Epoch = epoch
	}
	h.turns[partition]++
	h.fetcher.Hold(from, t.pending)
}
