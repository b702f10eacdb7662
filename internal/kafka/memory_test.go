package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
)

// liveHeap is what the garbage collector cannot take.
func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// inOrder decodes chunks on several goroutines and uses them in their order, as pkg/stream and pkg/scoring do.
func inOrder(ctx context.Context, f *Fetcher, workers int, done func() bool, use func([]Record, *Chunk)) error {
	type task struct {
		chunk *Chunk
		parts chan []Record
	}
	group, ctx := errgroup.WithContext(ctx)
	ctx, cancel := context.WithCancel(ctx)
	work, order, idle := make(chan *task, workers+1), make(chan *task, workers+1), make(chan struct{}, workers+1)
	for range workers + 1 {
		idle <- struct{}{}
	}
	ended := func(err error) error {
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	group.Go(func() error {
		for {
			select {
			case <-idle:
			case <-ctx.Done():
				return nil
			}
			chunk, err := f.Next(ctx)
			if err != nil {
				return ended(err)
			}
			t := &task{chunk, make(chan []Record)}
			work <- t
			order <- t
		}
	})
	for range workers {
		group.Go(func() error {
			for {
				select {
				case t := <-work:
					for more := true; more; {
						records, err := t.chunk.Records(ctx)
						if err != nil {
							return ended(err)
						}
						more = len(records) > 0
						select {
						case t.parts <- records:
						case <-ctx.Done():
							return nil
						}
					}
				case <-ctx.Done():
					return nil
				}
			}
		})
	}
	group.Go(func() error {
		defer cancel()
		for !done() {
			select {
			case t := <-order:
				for {
					select {
					case records := <-t.parts:
						use(records, t.chunk)
						if len(records) > 0 {
							continue
						}
					case <-ctx.Done():
						return ctx.Err()
					}
					break
				}
				t.chunk.Release()
				idle <- struct{}{}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}

// TestMemoryOfCompressedBatches: batches of a few KiB that become 30 MiB each, which a fetch brings all at once. However many
// goroutines decode, memory stays within half of the budget and one batch, and every record is given in its order.
func TestMemoryOfCompressedBatches(t *testing.T) {
	const count, messages, budget = 8, 30, 32 << 20
	value := bytes.Repeat([]byte("x"), 1<<20)
	for codec := int16(codecGzip); codec <= codecZstd; codec++ {
		t.Run(codecNames[codec], func(t *testing.T) {
			w := embedded(t, devbrokerOptions)
			w.config.CompressionType = codecNames[codec]
			topic := w.create(1, "max.message.bytes=8388608")
			for i := range count {
				batch := make([]Message, messages)
				for j := range batch {
					batch[j] = Message{Key: fmt.Append(nil, i*messages+j), Value: value}
				}
				_, err := w.Produce(w.context(), topic, 0, batch...)
				w.must(err)
			}
			before := liveHeap()
			f := w.fetcher(FetchOptions{Topic: topic, Budget: budget, MaxBytes: 16 << 20, MaxPartitionBytes: 16 << 20})
			var next, most atomic.Int64
			var charged int64
			w.must(inOrder(w.context(), f, 4, func() bool { return next.Load() == count*messages }, func(records []Record, chunk *Chunk) {
				for _, r := range records {
					if string(r.Key) != fmt.Sprint(next.Load()) || len(r.Value) != len(value) {
						t.Errorf("offset %d: key %s, %d bytes", next.Load(), r.Key, len(r.Value))
					}
					next.Add(1)
				}
				if len(records) == 0 {
					return
				}
				f.budget.mutex.Lock()
				charged = max(charged, f.budget.decoded)
				f.budget.mutex.Unlock()
				most.Store(max(most.Load(), liveHeap()-before))
			}))
			const batch = messages << 20
			if charged < batch || charged > budget/2+batch+1<<20 {
				t.Errorf("%d bytes are charged for the records of batches of %d bytes, of a budget of %d", charged, batch, budget)
			}
			if most.Load() > budget+batch+16<<20 {
				t.Errorf("the heap grew by %d bytes", most.Load())
			}
			f.Close()
			if f.budget.used != 0 || f.budget.decoded != 0 || len(f.budget.given) != 0 {
				t.Errorf("%d and %d bytes are charged, %d chunks in use", f.budget.used, f.budget.decoded, len(f.budget.given))
			}
		})
	}
}

// TestRecordsWaitsForRoom: a younger chunk waits for what the oldest holds; the oldest never waits.
func TestRecordsWaitsForRoom(t *testing.T) {
	var log []byte
	for i := range 3 {
		log = append(log, forge{base: int64(i), codec: codecZstd, producer: -1, messages: []Message{{Timestamp: 1, Value: make([]byte, 3<<20)}}}.bytes(t)...)
	}
	budget := newBudget(1 << 20)
	all, err := newChunks("topic", TopicID{}, 0, &fetchedPartition{batches: log}, new(bufferPool).get(), budget)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d chunks, %v", len(all), err)
	}
	for _, chunk := range all {
		budget.give(chunk)
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
	for codec := range int16(len(codecNames)) {
		batch := batchOf(t, 0, count, codec)
		chunk := func(bytes []byte) *Chunk {
			all, err := newChunks("topic", TopicID{}, from, &fetchedPartition{batches: bytes}, new(bufferPool).get(), newBudget(1<<20))
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
				t.Errorf("%s: %d records at a time", codecNames[codec], len(records))
			}
			got = append(got, offsets(records)...)
		}
		if len(got) != count-from || got[0] != from || !slices.IsSorted(got) {
			t.Errorf("%s: %d records from %d", codecNames[codec], len(got), got[0])
		}
		if bytes := c.charged; bytes > 2*chunkRecords*int64(recordBytes) {
			t.Errorf("%s: %d bytes are charged", codecNames[codec], bytes)
		}
		c.Release()
		if codec == codecNone {
			c = chunk(patch(batch, len(batch)-1, 7)) // headers that are not there
			var corrupt *CorruptError
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
		for codec := int16(codecGzip); codec <= codecZstd; codec++ {
			packed, err := deflate(codec, payload, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, twice := range []bool{false, true} {
				whole, bytes := len(payload), packed
				if twice && codec != codecSnappy { // a second member or frame
					whole, bytes = 2*whole, append(slices.Clone(packed), packed...)
				}
				size := inflatedSize(codec, bytes)
				tight := size >= whole && size <= whole+len(payload)/8+2*zstdBlock
				if !tight && (!twice || codec == codecZstd) {
					t.Errorf("%s, %s, twice %t: %d bytes, not %d", name, codecNames[codec], twice, size, whole)
				}
				chunk := Chunk{batches: []batch{{attributes: codec, payload: bytes, inflated: size}}}
				got, err := chunk.inflate(t.Context(), &chunk.batches[0], new(decoded), size)
				if err != nil || len(got) != whole {
					t.Errorf("%s, %s, twice %t: %d bytes of %d, %v", name, codecNames[codec], twice, len(got), whole, err)
				}
			}
		}
	}
	lying, err := deflate(codecGzip, make([]byte, maxInflated+1), nil)
	if err != nil {
		t.Fatal(err)
	}
	lying[len(lying)-4], lying[len(lying)-1] = 9, 0 // nine bytes, it says
	for i := range 2 {
		lying[len(lying)-2-i] = 0
	}
	chunk := Chunk{batches: []batch{{attributes: codecGzip, payload: lying, inflated: inflatedSize(codecGzip, lying)}}}
	if got, err := chunk.inflate(t.Context(), &chunk.batches[0], new(decoded), 9); err == nil {
		t.Errorf("%d bytes above the limit", len(got))
	}
}
