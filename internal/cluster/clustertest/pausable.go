package clustertest

import (
	"context"
	"sync"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// Pausable is the view that one process has of a memory: while it is paused, as by SIGSTOP, nothing gets through.
type Pausable struct {
	*Memory
	mutex sync.Mutex
	gate  chan struct{} // nil: open
}

// Pause holds up every read and write from now on.
func (p *Pausable) Pause() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.gate = make(chan struct{})
}

// Resume lets them through.
func (p *Pausable) Resume() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	close(p.gate)
	p.gate = nil
}

func (p *Pausable) pass(ctx context.Context) error {
	p.mutex.Lock()
	gate := p.gate
	p.mutex.Unlock()
	if gate == nil {
		return ctx.Err()
	}
	select {
	case <-gate:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Append waits while the process is paused.
func (p *Pausable) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (int64, error) {
	if err := p.pass(ctx); err != nil {
		return 0, err
	}
	return p.Memory.Append(ctx, topic, partition, messages...)
}

// Read waits while the process is paused, at each record.
func (p *Pausable) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if err := p.pass(ctx); err != nil {
		return from, err
	}
	return p.Memory.Read(ctx, topic, partition, from, to, func(r *kafka.Record) error {
		if err := p.pass(ctx); err != nil {
			return err
		}
		return use(r)
	})
}

// Fetch follows a topic; deliveries wait while the process is paused.
func (p *Pausable) Fetch(options kafka.FetchOptions) (cluster.Source, error) {
	source, err := p.Memory.Fetch(options)
	return &pausableSource{source, p}, err
}

type pausableSource struct {
	cluster.Source
	process *Pausable
}

func (s *pausableSource) Next(ctx context.Context) (*cluster.Delivery, error) {
	d, err := s.Source.Next(ctx)
	if failed := s.process.pass(ctx); err == nil && failed != nil {
		return nil, failed
	}
	return d, err
}
