package batches

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestWhoeverWaitsIsWoken by each of the three ways in which room comes about: bytes that are not needed, records that came to less than was charged, and a chunk that is
// released.
func TestWhoeverWaitsIsWoken(t *testing.T) {
	for name, free := range map[string]func(*Budget, *account){
		"bytes that are not needed": func(b *Budget, _ *account) { b.charge(-90) },
		"fewer records":             func(b *Budget, a *account) { b.settle(a, 10) },
		"a chunk released":          func(b *Budget, a *account) { b.release(a) },
	} {
		b, a := NewBudget(100), &account{}
		b.give(a)
		if err := b.decode(t.Context(), a, 100); err != nil {
			t.Fatal(err)
		}
		ready := make(chan error)
		go func() { ready <- b.Room(context.Background()) }()
		for waiting := 0; waiting == 0; {
			b.mutex.Lock()
			waiting = b.waiting
			b.mutex.Unlock()
		}
		free(b, a)
		if err := <-ready; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAChunkIsChargedForWhatItHolds: while its records are in use, for these and for what was fetched; released, for nothing.
func TestAChunkIsChargedForWhatItHolds(t *testing.T) {
	for codec := int16(wire.None); codec <= wire.Zstd; codec++ {
		budget, pool := NewBudget(1<<30), new(Buffers)
		all, err := NewChunks("topic", wire.TopicID{}, 0, &wire.FetchedPartition{Batches: batchOf(t, 0, 100, codec)}, pool.Get(0), budget)
		if err != nil || len(all) != 1 {
			t.Fatalf("%d chunks, %v", len(all), err)
		}
		chunk := all[0]
		chunk.Give()
		fetched, _, _ := budget.Held()
		records, err := chunk.Records(t.Context())
		if err != nil || len(records) != 100 {
			t.Fatalf("codec %d: %d records, %v", codec, len(records), err)
		}
		used, decoded, given := budget.Held()
		if want := chunk.decoded.size(); decoded != want || used != fetched+want || given != 1 || fetched == 0 {
			t.Errorf("codec %d: charged for %d, of which %d for records, want %d and %d", codec, used, decoded, fetched+want, want)
		}
		chunk.Release()
		if used, decoded, given := budget.Held(); used != 0 || decoded != 0 || given != 0 {
			t.Errorf("codec %d: released, charged for %d, %d in %d chunks", codec, used, decoded, given)
		}
	}
}

// TestMemoryOfRecordsIsUsedAgain by the next chunk, once it is released: the pool may drop some of it.
func TestMemoryOfRecordsIsUsedAgain(t *testing.T) {
	again := 0
	for range 50 {
		chunk := &Chunk{decoded: &decoded{records: make([]Record, 1, 77), inflated: make([]byte, 1)}}
		chunk.Release()
		if d := decodeds.Get().(*decoded); cap(d.records) == 77 && len(d.records) == 0 && len(d.inflated) == 0 {
			again++
		}
	}
	if again == 0 {
		t.Error("memory that was released is not used again")
	}
}

// TestRecordsThatLookLikeMarkers end no transaction: only a control batch does.
func TestRecordsThatLookLikeMarkers(t *testing.T) {
	forged := forge{base: 1, producer: 7, attributes: transactional, messages: []Message{{Timestamp: 1, Key: []byte{0, 0, 0, 0}, Value: []byte("forged")}}}.bytes(t)
	bytes := join(inTransaction(t, 0, 7), forged, inTransaction(t, 2, 7), marker(t, 3, 7, abortMarker), inTransaction(t, 4, 7))
	records, next, err := decodeAll(bytes, 0, wire.Aborted{Producer: 7, First: 0})
	if err != nil || next != 5 || len(records) != 1 || records[0].Offset != 4 {
		t.Errorf("offsets %v up to %d, %v", offsets(records), next, err)
	}
}

// TestOffsetsStayWithinTheirBatch and rise: from its base on, up to the last that its head names.
func TestOffsetsStayWithinTheirBatch(t *testing.T) {
	for name, c := range map[string]struct {
		deltas []int64
		good   bool
	}{
		"in a row": {[]int64{0, 1}, true}, "with a gap": {[]int64{0, 7}, true}, "from later on": {[]int64{3, 4}, true},
		"before the base": {[]int64{-1, 0}, false}, "twice": {[]int64{2, 2}, false}, "backwards": {[]int64{3, 1}, false},
	} {
		batch := forge{base: 5, producer: -1, deltas: c.deltas, messages: []Message{{Timestamp: 1, Value: []byte("a")}, {Timestamp: 1, Value: []byte("b")}}}.bytes(t)
		records, _, err := decodeAll(batch, 0)
		if (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
		for i, r := range records {
			if r.Offset != 5+c.deltas[i] {
				t.Errorf("%s: record %d has the offset %d", name, i, r.Offset)
			}
		}
	}
	late := patch(forge{base: 5, producer: -1, deltas: []int64{0, 3}, messages: []Message{{Timestamp: 1}, {Timestamp: 1}}}.bytes(t), batchLastDeltaAt, int32Bytes(2)...)
	if _, _, err := decodeAll(late, 0); err == nil {
		t.Error("an offset beyond the last one of the batch")
	}
}
