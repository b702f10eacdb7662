package batches

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// abortFilter is the rule of Java's consumer (Fetcher, CompletedFetch.consumeAbortedTransactionsUpTo): the broker lists
// the aborted transactions that overlap a response; walking the batches in order, a producer is "aborted" from the
// first offset of its transaction until its abort marker.
//
//	records p1 | records p2 | ABORT p1 | records p1 (a new transaction) | COMMIT p1
//
// Dropping by producer id alone would also drop the last one; looking for markers alone would miss that the first must
// go when the marker lies in a later response.
type abortFilter struct {
	waiting []wire.Aborted // by first offset
	active  []int64        // producers whose transaction at hand was aborted
}

func newAbortFilter(list []wire.Aborted) abortFilter {
	slices.SortFunc(list, func(a, b wire.Aborted) int { return cmp.Compare(a.First, b.First) })
	return abortFilter{waiting: list}
}

// drops says whether the records of a batch belong to an aborted transaction.
func (f *abortFilter) drops(b *batch) bool {
	for len(f.waiting) > 0 && f.waiting[0].First <= b.last() {
		if producer := f.waiting[0].Producer; !slices.Contains(f.active, producer) {
			f.active = append(f.active, producer)
		}
		f.waiting = f.waiting[1:]
	}
	if len(f.active) == 0 || b.attributes&transactional == 0 {
		return false
	}
	at := slices.Index(f.active, b.producer)
	if at < 0 {
		return false
	}
	if b.attributes&control != 0 && isAbortMarker(b.payload) {
		f.active = slices.Delete(f.active, at, at+1)
	}
	return true
}

// isAbortMarker reads the only record of a control batch: its key is version and type, and type 0 is ABORT.
func isAbortMarker(payload []byte) bool {
	var r Record
	if _, problem := decodeRecord(payload, &batch{}, &r); problem != "" {
		return false
	}
	return len(r.Key) >= 4 && binary.BigEndian.Uint16(r.Key[2:]) == 0
}
