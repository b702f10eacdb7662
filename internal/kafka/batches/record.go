package batches

import (
	"encoding/binary"
)

// Record is a record as it was read. Key, Value and the headers point into a buffer that is used again once the record's
// Chunk is released: keep a copy (Message), not a slice. A nil Value is a tombstone; a nil Key is no key.
type Record struct {
	Offset int64
	// Timestamp in milliseconds since 1970: the producer's, or the broker's if the topic says LogAppendTime. -1: none.
	Timestamp  int64
	Key, Value []byte

	// Epoch of the partition's leader when the record was written; -1 if unknown.
	Epoch int32

	// HeaderCount headers stand in HeaderBytes as in a batch (see decodeRecords); Headers decodes them.
	HeaderCount int32
	HeaderBytes []byte
}

// Header of a record. The same key may come more than once; order counts.
type Header struct {
	Key   string
	Value []byte // nil is null
}

// Message is a record to be written. Timestamp 0 or below: the time of writing.
type Message struct {
	Timestamp  int64
	Key, Value []byte
	Headers    []Header
}

// Headers gives a copy of the headers, in their order. They were checked when the record was decoded.
func (r *Record) Headers() []Header {
	if r.HeaderCount == 0 {
		return nil
	}
	headers := make([]Header, 0, r.HeaderCount)
	rest := r.HeaderBytes
	for range r.HeaderCount {
		var key, value []byte
		key, rest, _ = sized(rest)
		value, rest, _ = sized(rest)
		headers = append(headers, Header{string(key), clone(value)})
	}
	return headers
}

// Header is the value of the last header with a key, which points into the same buffer as the record's; found is false without one. It allocates nothing.
func (r *Record) Header(key string) (value []byte, found bool) {
	rest := r.HeaderBytes
	for range r.HeaderCount {
		var name, of []byte
		name, rest, _ = sized(rest)
		if of, rest, _ = sized(rest); string(name) == key {
			value, found = of, true
		}
	}
	return value, found
}

// Message is a copy of the record that outlives its Chunk.
func (r *Record) Message() Message {
	return Message{r.Timestamp, clone(r.Key), clone(r.Value), r.Headers()}
}

// clone keeps the difference between nil and empty.
func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

// varint reads a zigzag varint at the beginning of b; size 0 means that it is none.
func varint(b []byte) (value int64, size int) {
	if len(b) > 0 && b[0] < 0x80 {
		u := b[0]
		return int64(u>>1) ^ -int64(u&1), 1
	}
	return longVarint(b)
}

// longVarint: two bytes, as the lengths of most records take, or more.
func longVarint(b []byte) (int64, int) {
	if len(b) > 1 && b[1] < 0x80 {
		u := uint64(b[0]&0x7f) | uint64(b[1])<<7
		return int64(u>>1) ^ -int64(u&1), 2
	}
	value, size := binary.Varint(b)
	return value, max(size, 0)
}

// sized reads a length and as many bytes; length -1 is nil.
func sized(b []byte) (value, rest []byte, ok bool) {
	n, size := varint(b)
	if size == 0 || n < -1 || n > int64(len(b)-size) {
		return nil, nil, false
	}
	b = b[size:]
	if n < 0 {
		return nil, b, true
	}
	return b[:n:n], b[n:], true
}
