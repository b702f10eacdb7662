package batches

import (
	"context"
	"errors"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// Large says, after Records, whether the chunk is a batch of exceptional size. Its memory goes back to the garbage
// collector, and whoever keeps a reference to a byte of it, unused, keeps all of it.
func (c *Chunk) Large() bool { return c.decoded != nil && cap(c.decoded.inflated) > keepInflated }

// Records gives the next records, in offset order: all of them, or chunkRecords at a time if the chunk is a batch of
// more; none when all were given. They are valid until Release. It waits until the Fetcher's budget has room for what
// they take, or the chunk is the oldest that is not released. The error is that of ctx or, at the first call only, a
// *CorruptError: nothing of the chunk may be used then.
func (c *Chunk) Records(ctx context.Context) (_ []Record, err error) {
	if c.decoded != nil {
		return c.more(), nil
	}
	bytes := 0
	for i := range c.batches {
		bytes += c.batches[i].inflated
	}
	if c.budget != nil {
		if err := c.budget.decode(ctx, &c.account, int64(bytes+min(c.Size(), chunkRecords)*recordBytes)); err != nil {
			return nil, err
		}
	}
	d := decodeds.Get().(*decoded)
	c.decoded = d
	if err = c.decode(ctx, d, bytes); err != nil {
		return nil, err
	}
	if c.budget != nil {
		c.budget.settle(&c.account, d.size())
	}
	if len(d.records) == 0 { // all of them lie before First
		return c.more(), nil
	}
	return d.records, nil
}

// more gives the next records of a batch of many. Those before may be in use, so the memory of these is new.
func (c *Chunk) more() (records []Record) {
	for len(records) == 0 && c.rest.batch != nil && c.rest.decoded < c.rest.count {
		var err error
		if records, err = c.rest.decode(make([]Record, 0, chunkRecords), chunkRecords); err != nil {
			panic("kafka: records that were checked: " + err.Error())
		}
	}
	return records
}

// decode decompresses all batches, and decodes the first chunkRecords records at least.
func (c *Chunk) decode(ctx context.Context, d *decoded, remain int) error {
	for i := range c.batches {
		b := &c.batches[i]
		payload, err := c.inflate(ctx, b, d, remain)
		if err != nil {
			return err
		}
		remain -= b.inflated
		records, err := newRecordsOf(b, payload)
		if err == nil && b.count > chunkRecords {
			err = records.check()
		}
		if err == nil {
			d.records, err = records.decode(d.records, chunkRecords)
		}
		if err != nil {
			return corruptError(c.Topic, c.Partition, b.base, err)
		}
		c.rest = records
	}
	return nil
}

// inflate gives the payload of a batch, decompressed.
func (c *Chunk) inflate(ctx context.Context, b *batch, d *decoded, remain int) ([]byte, error) {
	codec := b.attributes & codecMask
	if codec == wire.None {
		return b.payload, nil
	}
	begin, size := len(d.inflated), b.inflated
	d.reserve(size, remain)
	inflated, err := inflate(codec, b.payload, d.inflated, size)
	if errors.Is(err, errInflated) && size < MaxInflated {
		if size, err = measure(codec, b.payload); err == nil {
			if c.budget != nil {
				if err := c.budget.decode(ctx, &c.account, int64(size-b.inflated)); err != nil {
					return nil, err
				}
			}
			d.reserve(size, remain)
			inflated, err = inflate(codec, b.payload, d.inflated, size)
		}
	}
	if err != nil {
		return nil, corruptError(c.Topic, c.Partition, b.base, err)
	}
	d.inflated = inflated
	return inflated[begin:], nil
}
