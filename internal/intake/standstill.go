package intake

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// OpenTransaction: records of a partition are written, and cannot be read until a transaction before them ends.
type OpenTransaction struct {
	Partition int32
	// Offset is the first that cannot be read, Waiting the number of offsets from there on.
	Offset, Waiting int64
	// For is how long reading has stood there, as far as this process saw.
	For time.Duration
}

// longTransaction is the age at which a transaction is told of: the default transaction.timeout.ms, after which a
// broker ends it by itself.
const longTransaction = time.Minute

// Standstills notices partitions whose readable end stands still before records.
type Standstills map[int32]*standstill

type standstill struct {
	end   int64
	since time.Time
	told  bool
}

// Observe gives the partitions that stand still for longTransaction now, each once.
func (t Standstills) Observe(positions []kafka.Position, now time.Time) (all []OpenTransaction) {
	for _, p := range positions {
		s := t[p.Partition]
		switch {
		case p.HighWatermark <= p.LastStable || p.LastStable < 0:
			delete(t, p.Partition)
		case s == nil || s.end != p.LastStable:
			t[p.Partition] = &standstill{end: p.LastStable, since: now}
		case !s.told && now.Sub(s.since) >= longTransaction:
			s.told = true
			all = append(all, OpenTransaction{p.Partition, p.LastStable, p.HighWatermark - p.LastStable, now.Sub(s.since)})
		}
	}
	return all
}
