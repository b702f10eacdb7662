package kafka

import (
	"context"
	"slices"
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

// budget bounds the bytes that chunks hold: those that were fetched, and those that their records take once they are
// decompressed and decoded, which no limit of a fetch bounds.
//
// Charging for what was fetched never waits: a fetch is begun only while there is room, and what it brings may go beyond;
// then no other fetch begins until chunks were released. Decoding waits for room, of which it has half of the limit for
// itself. It may go beyond by the oldest chunk, which never waits: all who wait for a younger one hold the oldest, or wait
// for who holds it. So chunks in a row go on however large they are, and at most one is larger than the room.
type budget struct {
	limit int64

	mutex   sync.Mutex
	used    int64    // by all chunks
	decoded int64    // of it, by the records of chunks
	given   []*Chunk // by Next, and not released: the oldest first
	waiting int
	freed   chan struct{} // closed when bytes were freed while somebody waited
}

func newBudget(limit int64) *budget { return &budget{limit: limit, freed: make(chan struct{})} }

// chunkBytes bounds what a chunk becomes: small enough for several to be decoded at a time.
func (b *budget) chunkBytes() int {
	if b == nil {
		return chunkBytes
	}
	return int(min(chunkBytes, b.limit/8))
}

// charge is for bytes that are there, or, below zero, for bytes that are not needed any more.
func (b *budget) charge(n int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used += n
	if n < 0 {
		b.wake()
	}
}

// give notes that a chunk is the youngest that is in use.
func (b *budget) give(c *Chunk) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.given = append(b.given, c)
}

// decode charges for the records of a chunk before they are decoded, and waits for room.
func (b *budget) decode(ctx context.Context, c *Chunk, n int64) error {
	err := b.await(ctx, func() bool {
		if b.decoded+n > b.limit/2 && slices.Index(b.given, c) > 0 {
			return false
		}
		b.decoded += n
		b.used += n
		return true
	})
	if err == nil {
		c.charged, c.decodedBytes = c.charged+n, c.decodedBytes+n
	}
	return err
}

// settle makes the charge for the records of a chunk what they came to.
func (b *budget) settle(c *Chunk, n int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	change := n - c.decodedBytes
	b.used += change
	b.decoded += change
	c.charged, c.decodedBytes = c.charged+change, n
	b.wake()
}

// release ends all charges for a chunk.
func (b *budget) release(c *Chunk) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used -= c.charged
	b.decoded -= c.decodedBytes
	if i := slices.Index(b.given, c); i >= 0 {
		b.given = slices.Delete(b.given, i, i+1)
	}
	b.wake()
}

// room waits until a fetch may begin.
func (b *budget) room(ctx context.Context) error {
	return b.await(ctx, func() bool { return b.used < b.limit })
}

// await waits until ready, which holds the mutex.
func (b *budget) await(ctx context.Context, ready func() bool) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for !ready() {
		freed := b.freed
		b.waiting++
		b.mutex.Unlock()
		select {
		case <-ctx.Done():
		case <-freed:
		}
		b.mutex.Lock()
		b.waiting--
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// wake lets all who wait look again.
func (b *budget) wake() {
	if b.waiting > 0 {
		close(b.freed)
		b.freed = make(chan struct{})
	}
}
