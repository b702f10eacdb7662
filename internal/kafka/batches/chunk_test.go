package batches

import (
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// A response is cut into chunks of whole batches; what holds no record belongs to the chunk before or after it.
func TestChunksAreCut(t *testing.T) {
	var bytes []byte
	next := int64(0)
	var want []int64
	add := func(count int) {
		bytes = append(bytes, batchOf(t, next, count, wire.None)...)
		for range count {
			want = append(want, next)
			next++
		}
	}
	for range 50 {
		add(200)
		bytes = append(bytes, emptied(t, next, 2)...)
		next += 3
	}
	add(3 * chunkRecords) // one batch is one chunk, whatever its size
	add(1)
	bytes = append(bytes, marker(t, next, 7, commitMarker)...)
	next++

	budget := NewBudget(1 << 30)
	all, err := NewChunks("topic", wire.TopicID{}, 0, &wire.FetchedPartition{Batches: bytes}, new(Buffers).Get(0), budget)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 4 {
		t.Errorf("%d chunks of %d records", len(all), len(want))
	}
	var got []int64
	at := int64(0)
	for _, chunk := range all {
		if chunk.First != at || chunk.Next <= at || (chunk.Size() > chunkRecords && len(chunk.batches) > 1) {
			t.Errorf("a chunk of %d records from %d to %d, after %d", chunk.Size(), chunk.First, chunk.Next, at)
		}
		records, err := allRecords(chunk)
		if err != nil {
			t.Fatal(err)
		}
		got, at = append(got, offsets(records)...), chunk.Next
		chunk.Release()
	}
	if !slices.Equal(got, want) || at != next {
		t.Errorf("%d records to %d; want %d to %d", len(got), at, len(want), next)
	}
	if budget.used != 0 {
		t.Errorf("%d bytes are charged for what was released", budget.used)
	}
}
