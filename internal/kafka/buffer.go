package kafka

import (
	"context"
	"sync"
	"sync/atomic"
)

// buffer holds the bytes of a response, shared by the chunks cut from it; the last to let go gives it back.
type buffer struct {
	bytes []byte
	users atomic.Int32
	pool  *bufferPool
}

// bufferPool keeps buffers for the next response.
type bufferPool struct{ pool sync.Pool }

// keepBytes: an exceptionally large buffer is left to the garbage collector, or one batch of 60 MB would be paid for
// until the process ends.
const keepBytes = 16 << 20

func (p *bufferPool) get() *buffer {
	b, ok := p.pool.Get().(*buffer)
	if !ok {
		b = &buffer{pool: p}
	}
	b.users.Store(1)
	return b
}

func (b *buffer) share() { b.users.Add(1) }

func (b *buffer) release() {
	if b.users.Add(-1) == 0 && cap(b.bytes) <= keepBytes {
		b.pool.pool.Put(b)
	}
}

// budget bounds the bytes that chunks hold. Charging never waits: a fetch is begun only while there is room, and what it
// brings, or what decompressing it brings, may go beyond; then no other fetch begins until chunks were released. Waiting
// with a chunk in hand could wait for itself.
type budget struct {
	limit int64

	mutex sync.Mutex
	used  int64
	freed chan struct{} // closed when used falls below limit
}

func newBudget(limit int64) *budget { return &budget{limit: limit, freed: make(chan struct{})} }

func (b *budget) charge(n int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	full := b.used >= b.limit
	b.used += n
	if full && b.used < b.limit {
		close(b.freed)
		b.freed = make(chan struct{})
	}
}

// room waits for it.
func (b *budget) room(ctx context.Context) error {
	for {
		b.mutex.Lock()
		used, freed := b.used, b.freed
		b.mutex.Unlock()
		if used < b.limit {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-freed:
		}
	}
}
