package batches

import (
	"encoding/binary"
	"slices"
	"time"
)

// Builder encodes messages as they come: nothing of them is kept, and nothing is allocated once it has grown.
type Builder struct {
	records  []byte
	count    int32
	baseTime int64
	maxTime  int64
	now      int64 // the time of messages without one: that of the first of the batch
}

// NewBuilder is an empty one.
func NewBuilder() *Builder { return new(Builder) }

// Reset empties it, and keeps its memory.
func (b *Builder) Reset() { b.records, b.count = b.records[:0], 0 }

// Size is the number of bytes of the records before compression.
func (b *Builder) Size() int { return len(b.records) }

// Room is how many its memory holds.
func (b *Builder) Room() int { return cap(b.records) }

// Len is the number of messages.
func (b *Builder) Len() int32 { return b.count }

// Add copies a message.
func (b *Builder) Add(m *Message) { b.addAt(int64(b.count), m) }

// addAt adds a message at an offset delta.
func (b *Builder) addAt(delta int64, m *Message) {
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
func (b *Builder) appendTo(into []byte, codec int16) ([]byte, error) {
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
	Seal(h)
	return into, nil
}

// Framed appends room for the size of a batch, and the finished batch.
func (b *Builder) Framed(into []byte, codec int16) ([]byte, error) {
	return b.appendTo(append(slices.Grow(into, 4+batchHeader+len(b.records)), 0, 0, 0, 0), codec)
}

// Stamp makes a finished batch one of a producer's transaction.
func Stamp(batch []byte, producer int64, epoch int16, sequence int32) {
	attributes := binary.BigEndian.Uint16(batch[batchAttributesAt:]) | transactional
	binary.BigEndian.PutUint16(batch[batchAttributesAt:], attributes)
	binary.BigEndian.PutUint64(batch[batchProducerAt:], uint64(producer))
	binary.BigEndian.PutUint16(batch[batchProducerAt+8:], uint16(epoch))
	binary.BigEndian.PutUint32(batch[batchProducerAt+10:], uint32(sequence))
	Seal(batch)
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
