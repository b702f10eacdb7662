package intake

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/pkg/record"
)

// UnmatchedLabel is the reason of a label whose record is not waiting for it: it never came, was
// overtaken by its label, or gave way to newer ones in a full label buffer.
const UnmatchedLabel record.Reason = "unmatched_label"

// Reasons lists every reason for which a stream rejects records.
func Reasons() []record.Reason { return append(record.Reasons(), UnmatchedLabel) }

// aboutSchema says whether a rejection counts for RejectLimit. A tombstone or an event that deletes is somebody's wish to delete,
// and an unmatched label is a matter of timing: any number of them says nothing about the schema.
func aboutSchema(reason record.Reason) bool {
	return reason != record.Tombstone && reason != record.Deleted && reason != UnmatchedLabel
}

// TooManyRejected says that learning stopped because of RejectLimit. The state up to the record at which it
// stopped is saved: the next start comes to that record, and stops there again unless something was changed.
type TooManyRejected struct {
	Rejected, Window int
	Share            float64
	// Last says why the last of them was rejected.
	Last error
}

func (e *TooManyRejected) Error() string {
	renamed := "If a field of the input has another name now, list it under record.renamed (field: the new name, was: the old one) and start again. "
	if last, ok := errors.AsType[*record.Rejection](e.Last); ok && last.Reason == record.RegistryHeader {
		renamed = "" // its own message says what to do
	}
	return fmt.Sprintf("%d of the last %d records were rejected, more than the share of %v that stream.reject_limit.share allows; the last one: %v. %s"+
		"If the records are wrong, pass over them by one run with --set stream.reject_limit.share=1. "+
		"When the cause is gone, `fairstream deadletters replay` feeds again what came to the dead-letter topic",
		e.Rejected, e.Window, e.Share, e.Last, renamed)
}

// RejectLimit is the share of rejected records above which a job stops: when the schema of the input has
// changed, going on would drain the topic into the dead-letter topic.
type RejectLimit struct {
	// Share is the share of rejected records, among the last records (stream.reject_limit.window), above which the job
	// stops. Above 0, at most 1; 1 never stops the job.
	Share float64 `yaml:"share"`
	// Window is the number of last records in which rejected records are counted, at least 10.
	Window int `yaml:"window"`
}

// Rejects remembers which of the latest records were rejected. It is part of a snapshot: if a start
// began with an empty one, a job that is restarted whenever it stops would send a window of records to
// the dead-letter topic each time. Under a changed configuration a start begins with an empty one.
type Rejects struct {
	limit RejectLimit
	bits  []uint64 // bit i%Window: record i was rejected
	next  int
	seen  int // at most Window
	count int // of rejected ones
}

// NewRejects returns an empty window.
func NewRejects(limit RejectLimit) *Rejects {
	return &Rejects{limit: limit, bits: make([]uint64, (limit.Window+63)/64)}
}

// TooMany says whether one more rejected record would be too many, and how many rejected ones there would be.
func (w *Rejects) TooMany() (count int, exceeded bool) {
	count = w.count + 1
	if w.seen == w.limit.Window && w.bits[w.next/64]>>(w.next%64)&1 != 0 {
		count--
	}
	return count, w.seen+1 >= w.limit.Window && float64(count) > w.limit.Share*float64(w.limit.Window)
}

// Push notes a record.
func (w *Rejects) Push(rejected bool) {
	word, bit := &w.bits[w.next/64], uint64(1)<<(w.next%64)
	if *word&bit != 0 {
		w.count--
		*word &^= bit
	}
	if rejected {
		w.count++
		*word |= bit
	}
	if w.next++; w.next == w.limit.Window {
		w.next = 0
	}
	w.seen = min(w.seen+1, w.limit.Window)
}

// Recent is the window in a snapshot, the oldest record first.
type Recent struct {
	Seen int      `json:"seen"`
	Bits []uint64 `json:"bits"` // bit i%64 of word i/64: the i-th oldest was rejected
}

func (w *Rejects) Recent() Recent {
	h := Recent{w.seen, make([]uint64, (w.seen+63)/64)}
	for i := range w.seen {
		if at := (w.next - w.seen + i + w.limit.Window) % w.limit.Window; w.bits[at/64]>>(at%64)&1 != 0 {
			h.Bits[i/64] |= 1 << (i % 64)
		}
	}
	return h
}

// Restore fills a new window; of a longer one, the newest records count.
func (w *Rejects) Restore(h Recent) error {
	if h.Seen < 0 || h.Seen > 64*len(h.Bits) {
		return fmt.Errorf("a window of %d records in %d words", h.Seen, len(h.Bits))
	}
	for i := max(0, h.Seen-w.limit.Window); i < h.Seen; i++ {
		w.Push(h.Bits[i/64]>>(i%64)&1 != 0)
	}
	return nil
}
