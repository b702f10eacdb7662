package batches

import (
	"errors"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// FuzzRecords: whatever the bytes of a partition are, decoding ends, with a CorruptError or with offsets that rise and
// a next offset beyond them all that is never before the one asked for.
func FuzzRecords(f *testing.F) {
	for codec := range int16(len(wire.CodecNames)) {
		f.Add(batchOf(f, 3, 4, codec), int64(3), int64(0), int64(0))
	}
	f.Add(join(inTransaction(f, 0, 7), marker(f, 1, 7, abortMarker), emptied(f, 2, 5)), int64(0), int64(7), int64(0))
	f.Add(forge{base: 1, producer: -1, messages: []Message{{Key: []byte("k"), Headers: []Header{{"a", nil}, {"b", []byte("c")}}}}}.bytes(f), int64(1), int64(0), int64(0))
	f.Add(join(batchOf(f, 3, 4, wire.None), batchOf(f, 7, 4, wire.None)[:70]), int64(5), int64(0), int64(0))
	f.Fuzz(func(t *testing.T, bytes []byte, from, producer, first int64) {
		if from < 0 {
			return // offsets asked for are never negative
		}
		resealed := append([]byte(nil), bytes...)
		if len(resealed) > batchHeader { // or no mutation would pass the checksum
			resealed = patch(resealed, 0)
		}
		for _, bytes := range [][]byte{bytes, resealed} {
			records, next, err := decodeAll(bytes, from, wire.Aborted{Producer: producer, First: first})
			var corrupt *fault.CorruptError
			if err != nil && !errors.As(err, &corrupt) {
				t.Fatalf("error %T: %v", err, err)
			}
			if err != nil {
				continue
			}
			previous := from - 1
			for i := range records {
				if records[i].Offset <= previous {
					t.Fatalf("offset %d after %d", records[i].Offset, previous)
				}
				previous = records[i].Offset
				if n := len(records[i].Headers()); n != int(records[i].HeaderCount) {
					t.Fatalf("%d headers of %d", n, records[i].HeaderCount)
				}
			}
			if next <= previous || next < from {
				t.Fatalf("next %d after %d, from %d", next, previous, from)
			}
		}
	})
}
