package batches

import (
	"errors"
	"sync"

	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Chunk is what one fetch brought of one partition. Chunks of a partition come in order and without gap: First is the
// Next of the one before. A chunk may hold no record, when all that the log has there are transaction markers, aborted
// records or cleaned batches: Next counts all the same.
//
// Records decompresses and decodes on the goroutine that calls it, so that chunks can be decoded in parallel while they
// are used in order. Every chunk must be released, and an older one without waiting for the records of a younger one, or
// the Fetcher runs out of its byte budget and waits for ever.
type Chunk struct {
	Topic     string
	ID        wire.TopicID
	Partition int32
	// First is the offset asked for; Next the one to go on from, and to save once all records are processed.
	First, Next int64
	// Epoch is the leader epoch under which the offset before Next was written; -1 if unknown. It goes with Next into what
	// is saved: by it, records that were read and then replaced by others are noticed.
	Epoch int32
	// Turn is how often the partition had been held when the chunk was fetched; see Fetcher.Hold.
	Turn int
	// Of the leader, at the time of the fetch. LastStable is the end of what can be read: under read_uncommitted it is
	// the high watermark too. LogStart is -1 if unknown.
	HighWatermark, LastStable, LogStart int64
	// Loss is set on a chunk without records: offsets from First on are gone, and reading goes on at Next.
	Loss *fault.DataLoss

	batches []batch
	decoded *decoded  // nil before Records
	rest    recordsOf // of a batch of many records, those that Records did not give yet
	account account
	buffer  *Buffer
	budget  *Budget // nil: unbounded
}

var chunks = sync.Pool{New: func() any { return new(Chunk) }}

// NewChunks cuts a partition's part of a response. With an error there is no chunk.
func NewChunks(topic string, id wire.TopicID, first int64, p *wire.FetchedPartition, buffer *Buffer, budget *Budget) ([]*Chunk, error) {
	filter := newAbortFilter(p.Aborted)
	batches, end, epoch, err := scan(p.Batches, first, &filter, nil)
	if err != nil {
		return nil, corruptError(topic, p.Partition, first, err)
	}
	var all []*Chunk
	for next := first; next < end; {
		part, last, lastEpoch := cut(batches, budget.chunkBytes())
		batches = batches[len(part):]
		if len(batches) == 0 {
			last, lastEpoch = end, epoch
		}
		c := chunks.Get().(*Chunk)
		*c = Chunk{Topic: topic, ID: id, Partition: p.Partition, First: next, Next: last, Epoch: lastEpoch,
			HighWatermark: p.HighWatermark, LastStable: p.LastStable, LogStart: p.LogStart,
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
func cut(batches []batch, most int) (part []batch, next int64, epoch int32) {
	records, bytes := 0, 0
	for i := range batches {
		records, bytes = records+int(batches[i].count), bytes+batches[i].inflated
		if i > 0 && (records > chunkRecords || bytes > most) {
			return batches[:i], next, epoch
		}
		next, epoch = batches[i].last()+1, batches[i].epoch
	}
	return batches, next, epoch
}

// LossChunk stands for records that are gone.
func LossChunk(id wire.TopicID, loss *fault.DataLoss) *Chunk {
	c := chunks.Get().(*Chunk)
	*c = Chunk{Topic: loss.Topic, ID: id, Partition: loss.Partition, First: loss.Offset, Next: loss.Resume, Loss: loss,
		Epoch: -1, HighWatermark: loss.Bounds.End, LastStable: loss.Bounds.End, LogStart: loss.Bounds.Start,
		batches: c.batches}
	return c
}

func corruptError(topic string, partition int32, offset int64, err error) error {
	var problem corruption
	if errors.As(err, &problem) {
		return &fault.CorruptError{Topic: topic, Partition: partition, Offset: offset, Problem: string(problem)}
	}
	return &fault.CorruptError{Topic: topic, Partition: partition, Offset: offset, Problem: err.Error()}
}

func (c *Chunk) charge(n int64) {
	c.account.charged += n
	if c.budget != nil {
		c.budget.charge(n)
	}
}

// Give notes that the chunk is the youngest that is in use.
func (c *Chunk) Give() {
	if c.budget != nil {
		c.budget.give(&c.account)
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

// Release gives the chunk's memory back. Records, keys and values of it must not be touched afterwards.
func (c *Chunk) Release() {
	if c.buffer != nil {
		c.buffer.Release()
	}
	if c.decoded != nil {
		c.decoded.release()
	}
	if c.budget != nil {
		c.budget.release(&c.account)
	}
	clear(c.batches)
	*c = Chunk{batches: c.batches[:0]}
	chunks.Put(c)
}
