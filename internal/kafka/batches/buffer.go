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

// step is what a new buffer is a multiple of: the answers of a stream that is behind differ by a few bytes.
const step = 64 << 10

// keepBytes: an exceptionally large buffer is left to the garbage collector, or one batch of 60 MB would be paid for
// until the process ends.
const keepBytes = 16 << 20

// Get gives a buffer with room for so many bytes, and with one user. A larger answer grows it, which copies what has come: do not ask for more than
// may be believed before it comes.
func (p *Buffers) Get(size int) *Buffer {
	b, ok := p.pool.Get().(*Buffer)
	if !ok {
		b = &Buffer{pool: p}
	}
	if cap(b.Bytes) < size {
		b.Bytes = make([]byte, 0, (size+step-1)/step*step)
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
