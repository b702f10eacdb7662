package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/fairstream/fairstream/internal/kafka/wire"
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
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies: left out by -short")
	}
	const count, messages, budget = 8, 30, 32 << 20
	value := bytes.Repeat([]byte("x"), 1<<20)
	for codec := int16(wire.Gzip); codec <= wire.Zstd; codec++ {
		t.Run(wire.CodecNames[codec], func(t *testing.T) {
			w := embedded(t, devbrokerOptions)
			w.link.Config.CompressionType = wire.CodecNames[codec]
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
				_, decoded, _ := f.budget.Held()
				charged = max(charged, decoded)
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
			if used, decoded, given := f.budget.Held(); used != 0 || decoded != 0 || given != 0 {
				t.Errorf("%d and %d bytes are charged, %d chunks in use", used, decoded, given)
			}
		})
	}
}
