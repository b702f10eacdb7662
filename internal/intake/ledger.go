package intake

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

// Ledger accounts for the records of one partition. Every record before Next is in exactly one of its
// tallies.
type Ledger struct {
	Partition int32 `json:"partition"`
	// Next is the offset to go on from.
	Next int64 `json:"next"`
	// LeaderEpoch is the one under which the offset before Next was written; -1 if unknown.
	LeaderEpoch LeaderEpoch `json:"leader_epoch,omitzero"`
	// Learnt were learnt, Rejected sent to the dead-letter topic, and Kept put into the label buffer,
	// to be learnt when their label comes; the record that brings the label is then Learnt.
	Learnt   Tally `json:"learnt"`
	Rejected Tally `json:"rejected"`
	Kept     Tally `json:"kept,omitzero"`
	// Lost offsets were passed over because the log no longer held them.
	Lost int64 `json:"lost,omitempty"`
	// Since is where the account started again after the last accepted loss: the log, or its part from there on, is another one.
	Since Restart `json:"since,omitzero"`
}

// Restart is the place where reading went on after a loss.
type Restart struct {
	// Accounted is the number of records that the tallies held before it, and Offset where reading went on.
	Accounted int64 `json:"accounted"`
	Offset    int64 `json:"offset"`
}

// Accounted is the number of records in the tallies.
func (l *Ledger) Accounted() int64 { return l.Learnt.Count + l.Rejected.Count + l.Kept.Count }

// restart starts the account again after a loss.
func (l *Ledger) restart() { l.Since = Restart{l.Accounted(), max(0, l.Next)} }

// Overcounted says whether more records are accounted for since the last loss than offsets lie between.
func (l *Ledger) Overcounted() bool {
	return l.Next >= 0 && l.Accounted()-l.Since.Accounted > l.Next-l.Since.Offset
}

// LeaderEpoch counts the leaders of a partition, from 0; below 0 it is not known, and not written.
type LeaderEpoch int32

// IsZero is for omitzero.
func (e LeaderEpoch) IsZero() bool { return e < 0 }

// UnmarshalJSON is part of json.Unmarshaler: a ledger without an epoch knows none.
func (l *Ledger) UnmarshalJSON(data []byte) error {
	type plain Ledger
	read := plain{LeaderEpoch: -1}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*l = Ledger(read)
	return nil
}

// Tally counts records, and sums a hash of each one's offset: two tallies that agree in both are of the
// same records, in whatever order, since a lost record and a doubled one do not cancel out.
type Tally struct {
	Count int64 `json:"count"`
	Sum   Sum   `json:"sum"`
}

// Add counts a record.
func (t *Tally) Add(partition int32, offset int64) {
	t.Count++
	t.Sum += Sum(mix(partition, offset))
}

// Sum is a sum of hashes modulo 2^64. In JSON it is a hexadecimal text, for readers whose numbers are
// not exact.
type Sum uint64

// MarshalText is part of encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) {
	return hex.AppendEncode(nil, binary.BigEndian.AppendUint64(nil, uint64(s))), nil
}

// UnmarshalText is part of encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != 8 {
		return fmt.Errorf("intake: %q is not a sum of 16 hexadecimal digits", text)
	}
	*s = Sum(binary.BigEndian.Uint64(raw))
	return nil
}

// mix spreads a partition and an offset over 64 bits.
func mix(partition int32, offset int64) uint64 {
	return record.Mix(uint64(uint32(partition)), uint64(offset))
}

// Ledgers are those of a topic, by partition.
type Ledgers []Ledger

// Of returns the ledger of a partition, a new one that begins at first if there is none.
func (l *Ledgers) Of(partition int32, first int64) *Ledger {
	at, found := slices.BinarySearchFunc(*l, partition, func(x Ledger, p int32) int { return int(x.Partition - p) })
	if !found {
		*l = slices.Insert(*l, at, Ledger{Partition: partition, Next: first, LeaderEpoch: -1})
	}
	return &(*l)[at]
}

// Next gives the offsets to go on from.
func (l Ledgers) Next() map[int32]int64 {
	offsets := make(map[int32]int64, len(l))
	for i := range l {
		if l[i].Next >= 0 {
			offsets[l[i].Partition] = l[i].Next
		}
	}
	return offsets
}

// Epochs gives the leader epochs that are known.
func (l Ledgers) Epochs() map[int32]int32 {
	epochs := make(map[int32]int32, len(l))
	for i := range l {
		if l[i].LeaderEpoch >= 0 {
			epochs[l[i].Partition] = int32(l[i].LeaderEpoch)
		}
	}
	return epochs
}

// Taken is how many records were learnt or kept.
func (l Ledgers) Taken() (n int64) {
	for i := range l {
		n += l[i].Learnt.Count + l[i].Kept.Count
	}
	return n
}

// TallyOf is the tally of all offsets of a partition from one to before another.
func TallyOf(partition int32, from, to int64) Tally {
	var t Tally
	for offset := from; offset < to; offset++ {
		t.Add(partition, offset)
	}
	return t
}
