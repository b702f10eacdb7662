package batches

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestRecordsWaitsForRoom: a younger chunk waits for what the oldest holds; the oldest never waits.
func TestRecordsWaitsForRoom(t *testing.T) {
	var log []byte
	for i := range 3 {
		log = append(log, forge{base: int64(i), codec: wire.Zstd, producer: -1, messages: []Message{{Timestamp: 1, Value: make([]byte, 3<<20)}}}.bytes(t)...)
	}
	budget := NewBudget(1 << 20)
	all, err := NewChunks("topic", wire.TopicID{}, 0, &wire.FetchedPartition{Batches: log}, new(Buffers).Get(0), budget)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d chunks, %v", len(all), err)
	}
	for _, chunk := range all {
		chunk.Give()
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := func(i int) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := all[i].Records(ctx)
			done <- err
		}()
		return done
	}
	waits := func(n int) {
		for {
			budget.mutex.Lock()
			waiting := budget.waiting
			budget.mutex.Unlock()
			if waiting == n {
				return
			}
			runtime.Gosched()
		}
	}
	third, second := got(2), got(1)
	waits(2)
	if err := <-got(0); err != nil {
		t.Fatal(err)
	}
	waits(2)
	all[0].Release()
	if err := <-second; err != nil {
		t.Error(err)
	}
	waits(1)
	cancel()
	if err := <-third; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	all[1].Release()
	all[2].Release()
	if budget.used != 0 || budget.decoded != 0 || len(budget.given) != 0 {
		t.Errorf("%+v", budget)
	}
}

// TestABatchOfManyRecords comes in parts, of which the first may lie before the offset asked for. Its last record is checked
// before the first is given.
func TestABatchOfManyRecords(t *testing.T) {
	const count, from = 3*chunkRecords + 5, chunkRecords + 7
	for codec := range int16(len(wire.CodecNames)) {
		batch := batchOf(t, 0, count, codec)
		chunk := func(bytes []byte) *Chunk {
			all, err := NewChunks("topic", wire.TopicID{}, from, &wire.FetchedPartition{Batches: bytes}, new(Buffers).Get(0), NewBudget(1<<20))
			if err != nil || len(all) != 1 {
				t.Fatalf("%d chunks, %v", len(all), err)
			}
			return all[0]
		}
		var got []int64
		c := chunk(batch)
		for {
			records, err := c.Records(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				break
			}
			if len(records) > chunkRecords {
				t.Errorf("%s: %d records at a time", wire.CodecNames[codec], len(records))
			}
			got = append(got, offsets(records)...)
		}
		if len(got) != count-from || got[0] != from || !slices.IsSorted(got) {
			t.Errorf("%s: %d records from %d", wire.CodecNames[codec], len(got), got[0])
		}
		if bytes := c.account.charged; bytes > 2*chunkRecords*int64(recordBytes) {
			t.Errorf("%s: %d bytes are charged", wire.CodecNames[codec], bytes)
		}
		c.Release()
		if codec == wire.None {
			c = chunk(patch(batch, len(batch)-1, 7)) // headers that are not there
			var corrupt *fault.CorruptError
			if records, err := c.Records(t.Context()); !errors.As(err, &corrupt) {
				t.Errorf("%d records, %v", len(records), err)
			}
			c.Release()
		}
	}
}

// TestInflatedSize is never too small, but for gzip that lies; then the chunk is measured. It is nearly exact for large payloads.
func TestInflatedSize(t *testing.T) {
	random := make([]byte, 700_000)
	source := rand.NewChaCha8([32]byte{})
	_, _ = source.Read(random)
	for name, payload := range map[string][]byte{"nothing": {}, "a byte": {1}, "zeros": make([]byte, 5<<20), "random": random, "half": append(make([]byte, 1<<20), random...)} {
		for codec := int16(wire.Gzip); codec <= wire.Zstd; codec++ {
			packed, err := deflate(codec, payload, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, twice := range []bool{false, true} {
				whole, bytes := len(payload), packed
				if twice && codec != wire.Snappy { // a second member or frame
					whole, bytes = 2*whole, append(slices.Clone(packed), packed...)
				}
				size := inflatedSize(codec, bytes)
				tight := size >= whole && size <= whole+len(payload)/8+2*zstdBlock
				if !tight && (!twice || codec == wire.Zstd) {
					t.Errorf("%s, %s, twice %t: %d bytes, not %d", name, wire.CodecNames[codec], twice, size, whole)
				}
				chunk := Chunk{batches: []batch{{attributes: codec, payload: bytes, inflated: size}}}
				got, err := chunk.inflate(t.Context(), &chunk.batches[0], new(decoded), size)
				if err != nil || len(got) != whole {
					t.Errorf("%s, %s, twice %t: %d bytes of %d, %v", name, wire.CodecNames[codec], twice, len(got), whole, err)
				}
			}
		}
	}
	lying, err := deflate(wire.Gzip, make([]byte, MaxInflated+1), nil)
	if err != nil {
		t.Fatal(err)
	}
	lying[len(lying)-4], lying[len(lying)-1] = 9, 0 // nine bytes, it says
	for i := range 2 {
		lying[len(lying)-2-i] = 0
	}
	chunk := Chunk{batches: []batch{{attributes: wire.Gzip, payload: lying, inflated: inflatedSize(wire.Gzip, lying)}}}
	if got, err := chunk.inflate(t.Context(), &chunk.batches[0], new(decoded), 9); err == nil {
		t.Errorf("%d bytes above the limit", len(got))
	}
}

// TestBuffersHaveRoom for the answer that is to come, and for one that is a little longer.
func TestBuffersHaveRoom(t *testing.T) {
	var all Buffers
	for _, size := range []int{0, 1, step, step + 1, 5 * step} {
		b := all.Get(size)
		if room := cap(b.Bytes); len(b.Bytes) != 0 || room < size || room >= size+step {
			t.Errorf("a buffer for %d bytes has room for %d", size, room)
		}
	}
	used := &Buffer{Bytes: make([]byte, 10, 100), pool: &all}
	all.pool.Put(used)
	if b := all.Get(100); b == used && cap(b.Bytes) != 100 { // the race detector has pools lose some
		t.Errorf("a buffer with room for 100 bytes was replaced by one for %d", cap(b.Bytes))
	}
}
