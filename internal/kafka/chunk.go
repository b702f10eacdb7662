package kafka

import (
	"errors"
	"sync"
)

// Chunk is what one fetch brought of one partition. Chunks of a partition come in order and without gap: First is the
// Next of the one before. A chunk may hold no record, when all that the log has there are transaction markers, aborted
// records or cleaned batches: Next counts all the same.
//
// Records decompresses and decodes on the goroutine that calls it, so that chunks can be decoded in parallel while they
// are used in order. Every chunk must be released, or its Fetcher runs out of its byte budget and waits for ever.
type Chunk struct {
	Topic     string
	ID        TopicID
	Partition int32
	// First is the offset asked for; Next the one to go on from, and to save once all records are processed.
	First, Next int64
	// Epoch is the leader epoch under which the offset before Next was written; -1 if unknown. It goes with Next into what
	// is saved: by it, records that were read and then replaced by others are noticed.
	Epoch int32
	// Of the leader, at the time of the fetch. LastStable is the end of what can be read: under read_uncommitted it is
	// the high watermark too. LogStart is -1 if unknown.
	HighWatermark, LastStable, LogStart int64
	// Loss is set on a chunk without records: offsets from First on are gone, and reading goes on at Next.
	Loss *DataLoss

	batches []batch
	decoded *decoded // nil before Records
	charged int64
	buffer  *buffer
	budget  *budget
}

var chunks = sync.Pool{New: func() any { return new(Chunk) }}

// decoded is what Records makes of a chunk. Many chunks wait and few are in use, so this memory, much the larger part,
// is taken when it is needed: from the chunk released last, whose bytes may still be in the processor's cache.
type decoded struct {
	records  []Record
	inflated []byte
}

var decodeds = sync.Pool{New: func() any { return new(decoded) }}

const keepInflated = 4 << 20

// release gives the memory back, unless it is that of an exceptional batch.
func (d *decoded) release() {
	clear(d.records) // or they would keep the buffers alive
	if cap(d.inflated) <= keepInflated && cap(d.records) <= 4*chunkRecords {
		d.inflated, d.records = d.inflated[:0], d.records[:0]
		decodeds.Put(d)
	}
}

// chunkRecords: a response is cut into chunks of whole batches that hold no more records than this, or of one batch. So
// several goroutines can decode one partition, and a chunk stays a few MB however well its batches were compressed.
const chunkRecords = 4096

// newChunks cuts a partition's part of a response. With an error there is no chunk.
func newChunks(topic string, id TopicID, first int64, p *fetchedPartition, buffer *buffer, budget *budget) ([]*Chunk, error) {
	filter := newAbortFilter(p.aborted)
	batches, end, epoch, err := scan(p.batches, first, &filter, nil)
	if err != nil {
		return nil, corruptError(topic, p.partition, first, err)
	}
	var all []*Chunk
	for next := first; next < end; {
		part, last, lastEpoch := cut(batches)
		batches = batches[len(part):]
		if len(batches) == 0 {
			last, lastEpoch = end, epoch
		}
		c := chunks.Get().(*Chunk)
		*c = Chunk{Topic: topic, ID: id, Partition: p.partition, First: next, Next: last, Epoch: lastEpoch,
			HighWatermark: p.highWatermark, LastStable: p.lastStable, LogStart: p.logStart,
			batches: append(c.batches, part...), buffer: buffer, budget: budget}
		buffer.share()
		for i := range part {
			c.charge(int64(batchHeader + len(part[i].payload)))
		}
		all = append(all, c)
		next = last
	}
	return all, nil
}

// cut takes batches for one chunk, and gives the offset after them and its leader epoch.
func cut(batches []batch) (part []batch, next int64, epoch int32) {
	records := 0
	for i := range batches {
		if records += int(batches[i].count); i > 0 && records > chunkRecords {
			return batches[:i], next, epoch
		}
		next, epoch = batches[i].last()+1, batches[i].epoch
	}
	return batches, next, epoch
}

func corruptError(topic string, partition int32, offset int64, err error) error {
	var problem corruption
	if errors.As(err, &problem) {
		return &CorruptError{topic, partition, offset, string(problem)}
	}
	return &CorruptError{topic, partition, offset, err.Error()}
}

func (c *Chunk) charge(n int64) {
	c.charged += n
	if c.budget != nil {
		c.budget.charge(n)
	}
}

// Size is the number of records that Records will give, or a few more: those before First are then left out.
func (c *Chunk) Size() int {
	n := 0
	for i := range c.batches {
		n += int(c.batches[i].count)
	}
	return n
}

// Records gives the records, in offset order; they are valid until Release. The error is a *CorruptError: nothing of
// the chunk may be used then.
func (c *Chunk) Records() ([]Record, error) {
	if c.decoded == nil {
		d := decodeds.Get().(*decoded)
		if err := c.decode(d); err != nil {
			d.release()
			return nil, err
		}
		c.decoded = d
		c.charge(int64(len(d.inflated)))
	}
	return c.decoded.records, nil
}

func (c *Chunk) decode(d *decoded) (err error) {
	for i := range c.batches {
		b := &c.batches[i]
		payload := b.payload
		if codec := b.attributes & codecMask; codec != codecNone {
			// What earlier batches became stays valid when this append moves to a larger array: they keep the old one.
			begin := len(d.inflated)
			if d.inflated, err = inflate(codec, payload, d.inflated, maxInflated); err != nil {
				return corruptError(c.Topic, c.Partition, b.base, err)
			}
			payload = d.inflated[begin:]
		}
		if d.records, err = decodeRecords(b, payload, d.records); err != nil {
			return corruptError(c.Topic, c.Partition, b.base, err)
		}
	}
	return nil
}

// Release gives the chunk's memory back. Records, keys and values of it must not be touched afterwards.
func (c *Chunk) Release() {
	if c.buffer != nil {
		c.buffer.release()
	}
	if c.budget != nil {
		c.budget.charge(-c.charged)
	}
	if c.decoded != nil {
		c.decoded.release()
	}
	clear(c.batches)
	*c = Chunk{batches: c.batches[:0]}
	chunks.Put(c)
}
