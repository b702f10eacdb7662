package batches

import (
	"sync"
	"unsafe"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// decoded is what Records makes of a chunk. Many chunks wait and few are in use, so this memory, much the larger part,
// is taken when it is needed: from the chunk released last, whose bytes may still be in the processor's cache.
type decoded struct {
	records  []Record
	inflated []byte
	moved    int // bytes of arrays that inflated outgrew, which earlier records still point to
}

var decodeds = sync.Pool{New: func() any { return new(decoded) }}

const (
	keepInflated   = chunkBytes + inflateSlack
	smallestBuffer = 256 << 10
	recordBytes    = int(unsafe.Sizeof(Record{}))
)

// release gives the memory back, unless it is that of an exceptional batch.
func (d *decoded) release() {
	clear(d.records) // or they would keep the buffers alive
	if cap(d.inflated) <= keepInflated && cap(d.records) <= 4*chunkRecords {
		d.inflated, d.records, d.moved = d.inflated[:0], d.records[:0], 0
		decodeds.Put(d)
	}
}

// size is what the budget is charged for. Memory that is used again is counted only as far as it is used.
func (d *decoded) size() int64 {
	inflated := len(d.inflated)
	if cap(d.inflated) > keepInflated {
		inflated = cap(d.inflated)
	}
	return int64(inflated + d.moved + len(d.records)*recordBytes)
}

// reserve makes room for the next batch, of n bytes, and for some of those that remain: the array doubles while it is small.
func (d *decoded) reserve(n, remain int) {
	n += inflateSlack
	if cap(d.inflated)-len(d.inflated) >= n {
		return
	}
	d.moved += len(d.inflated)
	d.inflated = wire.Grow(d.inflated, max(n, min(remain+inflateSlack, max(smallestBuffer, cap(d.inflated)))))
}
