package wire

import (
	"encoding/binary"
)

// Encoder writes the primitive types of Kafka's protocol (https://kafka.apache.org/protocol, "Protocol Primitive
// Types"). Flexible messages (KIP-482) write lengths as unsigned varints plus one and end every structure with tagged
// fields.
type Encoder struct {
	bytes    []byte
	flexible bool
}

func (e *Encoder) int8(v int8)   { e.bytes = append(e.bytes, byte(v)) }
func (e *Encoder) int16(v int16) { e.bytes = binary.BigEndian.AppendUint16(e.bytes, uint16(v)) }
func (e *Encoder) Int32(v int32) { e.bytes = binary.BigEndian.AppendUint32(e.bytes, uint32(v)) }
func (e *Encoder) Int64(v int64) { e.bytes = binary.BigEndian.AppendUint64(e.bytes, uint64(v)) }
func (e *Encoder) uuid(v [16]byte) {
	e.bytes = append(e.bytes, v[:]...)
}

func (e *Encoder) bool(v bool) {
	if v {
		e.int8(1)
	} else {
		e.int8(0)
	}
}

// Text writes a length and the bytes.
func (e *Encoder) Text(v string) {
	if e.flexible {
		e.bytes = binary.AppendUvarint(e.bytes, uint64(len(v))+1)
	} else {
		e.int16(int16(len(v)))
	}
	e.bytes = append(e.bytes, v...)
}

// Array begins an array of n elements.
func (e *Encoder) Array(n int) {
	if e.flexible {
		e.bytes = binary.AppendUvarint(e.bytes, uint64(n)+1)
	} else {
		e.Int32(int32(n))
	}
}

// Tags ends a structure: no tagged field.
func (e *Encoder) Tags() {
	if e.flexible {
		e.bytes = append(e.bytes, 0)
	}
}
