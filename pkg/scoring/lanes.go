package scoring

import (
	"context"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/kafka"
)

// mostLanes bounds the chunks that are held for writing.
const mostLanes = 8

// lanes write the decisions of chunks, a goroutine for each partition of the output: in order within it, and in parallel
// over all. They belong to the committer.
type lanes struct {
	transactor *kafka.Transactor
	to         string // the output
	partitions int32  // of it
	begin      func(run func() error)
	idle       chan<- *task
	open       atomic.Int64  // chunks that are not written yet
	none       chan struct{} // that open fell to 0
	queues     map[int32]chan *task
}

// write hands a chunk over. It does not wait: a queue has room for every task.
func (l *lanes) write(ctx context.Context, t *task) {
	partition := t.chunk.Partition % l.partitions
	queue := l.queues[partition]
	if queue == nil {
		if l.queues == nil {
			l.queues = map[int32]chan *task{}
		}
		queue = make(chan *task, cap(l.idle))
		l.queues[partition] = queue
		l.begin(func() error { return l.run(ctx, partition, queue) })
	}
	l.open.Add(1)
	queue <- t
}

// drop makes room for another chunk.
func (l *lanes) drop(t *task) {
	t.reset()
	l.idle <- t
}

// run is one lane.
func (l *lanes) run(ctx context.Context, partition int32, queue <-chan *task) error {
	for {
		select {
		case t := <-queue:
			for _, b := range t.batches {
				if err := l.transactor.AppendBatch(ctx, l.to, partition, b); err != nil {
					return err
				}
			}
			l.drop(t)
			if l.open.Add(-1) > 0 {
				continue
			}
			select {
			case l.none <- struct{}{}:
			default: // it is known
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// wait returns when all that was handed over is written.
func (l *lanes) wait(ctx context.Context) error {
	for l.open.Load() > 0 {
		select {
		case <-l.none:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
