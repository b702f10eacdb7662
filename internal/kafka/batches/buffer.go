package batches

import (
	"sync"
	"sync/atomic"
)

// Buffer holds the bytes of a response, shared by the chunks cut from it; the last to let go gives it back.
type Buffer struct {
	Bytes []byte
	users atomic.Int32
	pool  *Buffers
}

// Buffers keeps buffers for the next response.
type Buffers struct{ pool sync.Pool }

// keepBytes: an exceptionally large buffer is left to the garbage collector, or one batch of 60 MB would be paid for
// until the process ends.
const keepBytes = 16 << 20

// Get gives a buffer with one user.
func (p *Buffers) Get() *Buffer {
	b, ok := p.pool.Get().(*Buffer)
	if !ok {
		b = &Buffer{pool: p}
	}
	b.users.Store(1)
	return b
}

func (b *Buffer) share() { b.users.Add(1) }

// Release is one user less.
func (b *Buffer) Release() {
	if b.users.Add(-1) == 0 && cap(b.Bytes) <= keepBytes {
		b.pool.pool.Put(b)
	}
}
