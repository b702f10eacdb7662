package kafka

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"time"
)

// batchBuilder encodes messages as they come: nothing of them is kept, and nothing is allocated once it has grown.
type batchBuilder struct {
	records  []byte
	count    int32
	baseTime int64
	maxTime  int64
	now      int64 // the time of messages without one: that of the first of the batch
}

func newBatchBuilder() *batchBuilder { return new(batchBuilder) }

func (b *batchBuilder) reset() { b.records, b.count = b.records[:0], 0 }

// Batch is filled with messages that are written together; see Transactor.AppendBatch. It belongs to one goroutine at a
// time.
type Batch struct {
	builder *batchBuilder
	framed  []byte // the finished batch, behind room for its size; empty before Encode
}

// NewBatch is an empty one.
func NewBatch() *Batch { return &Batch{builder: newBatchBuilder()} }

// Encode finishes and compresses a filled batch as the client's configuration says. AppendBatch does it otherwise.
func (c *Client) Encode(b *Batch) (err error) {
	b.framed, err = b.builder.appendTo(append(slices.Grow(b.framed[:0], 4+batchHeader+b.builder.size()), 0, 0, 0, 0), codecOf(c.config.CompressionType))
	return err
}

// Add copies a message into the batch.
func (b *Batch) Add(m *Message) { b.builder.add(m) }

// Size is the number of bytes of the messages before compression.
func (b *Batch) Size() int { return b.builder.size() }

// Reset empties the batch and keeps its memory, unless that is of an exceptional message.
func (b *Batch) Reset() {
	if cap(b.builder.records) > keepBatch {
		*b = *NewBatch()
		return
	}
	b.builder.reset()
	b.framed = b.framed[:0]
}

const keepBatch = 4 * DefaultBatchBytes

// size is that of the records before compression.
func (b *batchBuilder) size() int { return len(b.records) }

func (b *batchBuilder) add(m *Message) { b.addAt(int64(b.count), m) }

// addAt adds a message at an offset delta.
func (b *batchBuilder) addAt(delta int64, m *Message) {
	timestamp := m.Timestamp
	if b.count == 0 {
		b.now = time.Now().UnixMilli()
	}
	if timestamp <= 0 {
		timestamp = b.now
	}
	if b.count == 0 {
		b.baseTime, b.maxTime = timestamp, timestamp
	}
	b.maxTime = max(b.maxTime, timestamp)
	b.count++

	length := 1 + varintSize(timestamp-b.baseTime) + varintSize(delta) + sizedSize(m.Key) + sizedSize(m.Value) + varintSize(int64(len(m.Headers)))
	for _, h := range m.Headers {
		length += varintSize(int64(len(h.Key))) + len(h.Key) + sizedSize(h.Value)
	}
	r := binary.AppendVarint(b.records, int64(length))
	r = append(r, 0)
	r = binary.AppendVarint(r, timestamp-b.baseTime)
	r = binary.AppendVarint(r, delta)
	r = appendSized(r, m.Key)
	r = appendSized(r, m.Value)
	r = binary.AppendVarint(r, int64(len(m.Headers)))
	for _, h := range m.Headers {
		r = binary.AppendVarint(r, int64(len(h.Key)))
		r = append(r, h.Key...)
		r = appendSized(r, h.Value)
	}
	b.records = r
}

// appendTo appends the finished batch to into.
func (b *batchBuilder) appendTo(into []byte, codec int16) ([]byte, error) {
	begin := len(into)
	into = append(into, make([]byte, batchHeader)...)
	into, err := deflate(codec, b.records, into)
	if err != nil {
		return nil, err
	}
	h := into[begin:]
	binary.BigEndian.PutUint32(h[8:], uint32(len(h)-batchPrefix))
	binary.BigEndian.PutUint32(h[12:], 0xffffffff) // leader epoch: the broker's
	h[batchMagicAt] = 2
	binary.BigEndian.PutUint16(h[batchAttributesAt:], uint16(codec))
	binary.BigEndian.PutUint32(h[batchLastDeltaAt:], uint32(max(b.count-1, 0)))
	binary.BigEndian.PutUint64(h[27:], uint64(b.baseTime))
	binary.BigEndian.PutUint64(h[35:], uint64(b.maxTime))
	for i := batchProducerAt; i < 57; i++ { // producer id, epoch and base sequence: -1, none
		h[i] = 0xff
	}
	binary.BigEndian.PutUint32(h[57:], uint32(b.count))
	binary.BigEndian.PutUint32(h[batchCRCAt:], crc32.Checksum(h[batchChecked:], castagnoli))
	return into, nil
}

func varintSize(v int64) int {
	size := 1
	for u := uint64(v<<1) ^ uint64(v>>63); u >= 0x80; u >>= 7 {
		size++
	}
	return size
}

func sizedSize(b []byte) int {
	if b == nil {
		return 1
	}
	return varintSize(int64(len(b))) + len(b)
}

func appendSized(into, b []byte) []byte {
	if b == nil {
		return binary.AppendVarint(into, -1)
	}
	return append(binary.AppendVarint(into, int64(len(b))), b...)
}
