package batches

import (
	"context"
	"slices"
	"sync"
)

// Budget bounds the bytes that chunks hold: those that were fetched, and those that their records take once they are
// decompressed and decoded, which no limit of a fetch bounds.
//
// Charging for what was fetched never waits: a fetch is begun only while there is room, and what it brings may go beyond;
// then no other fetch begins until chunks were released. Decoding waits for room, of which it has half of the limit for
// itself. It may go beyond by the oldest chunk, which never waits: all who wait for a younger one hold the oldest, or wait
// for its holder. So chunks in a row go on however large they are, and at most one is larger than the room.
type Budget struct {
	limit int64

	mutex   sync.Mutex
	used    int64      // by all chunks
	decoded int64      // of it, by the records of chunks
	given   []*account // of chunks given by Next, and not released: the oldest first
	waiting int
	freed   chan struct{} // closed when bytes were freed while somebody waited
}

// account is what one chunk holds.
type account struct {
	charged int64
	decoded int64 // of it, for records
}

// NewBudget is a budget of so many bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit, freed: make(chan struct{})} }

// chunkBytes bounds what a chunk becomes: small enough for several to be decoded at a time.
func (b *Budget) chunkBytes() int {
	if b == nil {
		return chunkBytes
	}
	return int(min(chunkBytes, b.limit/8))
}

// charge is for bytes that are there, or, below zero, for bytes that are not needed any more.
func (b *Budget) charge(n int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used += n
	if n < 0 {
		b.wake()
	}
}

// give notes that a chunk is the youngest that is in use.
func (b *Budget) give(a *account) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.given = append(b.given, a)
}

// decode charges for the records of a chunk before they are decoded, and waits for room.
func (b *Budget) decode(ctx context.Context, a *account, n int64) error {
	err := b.await(ctx, func() bool {
		if b.decoded+n > b.limit/2 && slices.Index(b.given, a) > 0 {
			return false
		}
		b.decoded += n
		b.used += n
		return true
	})
	if err == nil {
		a.charged, a.decoded = a.charged+n, a.decoded+n
	}
	return err
}

// settle makes the charge for the records of a chunk what they came to.
func (b *Budget) settle(a *account, n int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	change := n - a.decoded
	b.used += change
	b.decoded += change
	a.charged, a.decoded = a.charged+change, n
	b.wake()
}

// release ends all charges for a chunk.
func (b *Budget) release(a *account) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.used -= a.charged
	b.decoded -= a.decoded
	if i := slices.Index(b.given, a); i >= 0 {
		b.given = slices.Delete(b.given, i, i+1)
	}
	b.wake()
}

// Held is what the chunks hold: all bytes, those of decoded records, and how many chunks are in use.
func (b *Budget) Held() (used, decoded int64, given int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.used, b.decoded, len(b.given)
}

// Room waits until a fetch may begin.
func (b *Budget) Room(ctx context.Context) error {
	return b.await(ctx, func() bool { return b.used < b.limit })
}

// await waits until ready, which holds the mutex.
func (b *Budget) await(ctx context.Context, ready func() bool) error {
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
func (b *Budget) wake() {
	if b.waiting > 0 {
		close(b.freed)
		b.freed = make(chan struct{})
	}
}
