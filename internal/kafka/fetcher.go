package kafka

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/kafka/batches"
)

// NewFetcher begins to read. Close it.
func (c *Client) NewFetcher(options FetchOptions) (*Fetcher, error) {
	options = options.withDefaults()
	switch options.OnLoss {
	case LossFails, LossEarliest, LossLatest:
	default:
		return nil, fmt.Errorf("kafka: the policy for lost data is %q; it must be one of %v", options.OnLoss, LossPolicies)
	}
	f := &Fetcher{client: c, options: options, budget: batches.NewBudget(int64(options.Budget)), out: make(chan *Chunk, outputChunks),
		look: make(chan struct{}, 1), id: options.ID, loops: map[int32]bool{},
		changed: make(chan struct{}), failed: make(chan struct{})}
	for number, offset := range options.Offsets {
		if number < 0 || offset < 0 {
			return nil, fmt.Errorf("kafka: read %s: partition %d at offset %d", options.Topic, number, offset)
		}
		f.extend(int(number) + 1)
		f.partitions[number].next = offset
		if epoch, known := options.Epochs[number]; known {
			f.partitions[number].epoch = epoch
		}
		f.partitions[number].state = unsure
	}
	f.context, f.cancel = context.WithCancel(c.link.Context)
	f.group.Add(1)
	go f.coordinate()
	return f, nil
}

// Next waits for the next chunk. Chunks that came before a failure are given before it. The error is that of ctx,
// ErrClosed, a *DataLoss, a *CorruptError, or an *Error of a class other than Retry; but for that of ctx it is final.
func (f *Fetcher) Next(ctx context.Context) (*Chunk, error) {
	chunk, err := f.next(ctx)
	if err == nil {
		chunk.Give()
	}
	return chunk, err
}

func (f *Fetcher) next(ctx context.Context) (*Chunk, error) {
	select {
	case chunk := <-f.out:
		return chunk, nil
	default:
	}
	select {
	case chunk := <-f.out:
		return chunk, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-f.failed:
	case <-f.context.Done():
	}
	select {
	case chunk := <-f.out:
		return chunk, nil
	default:
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.failure != nil {
		return nil, f.failure
	}
	return nil, ErrClosed
}

// Positions gives one entry a partition, by number.
func (f *Fetcher) Positions() []Position {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	positions := make([]Position, len(f.partitions))
	for i, p := range f.partitions {
		positions[i] = Position{p.number, p.next, p.logStart, p.lastStable, p.highWatermark}
	}
	return positions
}

// Close ends the goroutines and waits for them. Chunks already handed out stay valid until released.
func (f *Fetcher) Close() {
	f.cancel()
	f.group.Wait()
	for {
		select {
		case chunk := <-f.out:
			chunk.Release()
		default:
			return
		}
	}
}
