package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// errShort is a message that ends before its last field, or counts more elements than its bytes can hold.
var errShort = errors.New("the response ends before its last field")

// encoder writes the primitive types of Kafka's protocol (https://kafka.apache.org/protocol, "Protocol Primitive
// Types"). Flexible messages (KIP-482) write lengths as unsigned varints plus one and end every structure with tagged
// fields.
type encoder struct {
	bytes    []byte
	flexible bool
}

func (e *encoder) int8(v int8)   { e.bytes = append(e.bytes, byte(v)) }
func (e *encoder) int16(v int16) { e.bytes = binary.BigEndian.AppendUint16(e.bytes, uint16(v)) }
func (e *encoder) int32(v int32) { e.bytes = binary.BigEndian.AppendUint32(e.bytes, uint32(v)) }
func (e *encoder) int64(v int64) { e.bytes = binary.BigEndian.AppendUint64(e.bytes, uint64(v)) }
func (e *encoder) uuid(v [16]byte) {
	e.bytes = append(e.bytes, v[:]...)
}

func (e *encoder) bool(v bool) {
	if v {
		e.int8(1)
	} else {
		e.int8(0)
	}
}

func (e *encoder) string(v string) {
	if e.flexible {
		e.bytes = binary.AppendUvarint(e.bytes, uint64(len(v))+1)
	} else {
		e.int16(int16(len(v)))
	}
	e.bytes = append(e.bytes, v...)
}

func (e *encoder) array(n int) {
	if e.flexible {
		e.bytes = binary.AppendUvarint(e.bytes, uint64(n)+1)
	} else {
		e.int32(int32(n))
	}
}

// tags ends a structure: no tagged field.
func (e *encoder) tags() {
	if e.flexible {
		e.bytes = append(e.bytes, 0)
	}
}

// decoder reads the same types. It keeps the first error, after which every read gives zero: a caller checks err once,
// at the end. Nothing is allocated from a length on the wire that its remaining bytes could not hold.
type decoder struct {
	bytes    []byte
	flexible bool
	err      error
}

func (d *decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 || n > len(d.bytes) {
		d.err = errShort
		return nil
	}
	b := d.bytes[:n:n]
	d.bytes = d.bytes[n:]
	return b
}

func (d *decoder) int8() int8 {
	if b := d.take(1); b != nil {
		return int8(b[0])
	}
	return 0
}

func (d *decoder) int16() int16 {
	if b := d.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (d *decoder) int32() int32 {
	if b := d.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) int64() int64 {
	if b := d.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) uuid() (id [16]byte) {
	copy(id[:], d.take(16))
	return id
}

func (d *decoder) uvarint() uint64 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.bytes)
	if n <= 0 {
		d.err = errShort
		return 0
	}
	d.bytes = d.bytes[n:]
	return v
}

// length is the length of a string, of bytes or of an array; -1 is null.
func (d *decoder) length(fixed func() int) int {
	if !d.flexible {
		return fixed()
	}
	n := d.uvarint()
	if n > uint64(len(d.bytes))+1 {
		d.err = errShort
		return 0
	}
	return int(n) - 1
}

// string reads a string; null is empty.
func (d *decoder) string() string {
	n := d.length(func() int { return int(d.int16()) })
	if n < 0 {
		return ""
	}
	return string(d.take(n))
}

// blob reads bytes, which it does not copy; null is empty.
func (d *decoder) blob() []byte {
	n := d.length(func() int { return int(d.int32()) })
	if n < 0 {
		return nil
	}
	return d.take(n)
}

// array reads the number of elements of an array of at least size bytes each; null is none.
func (d *decoder) array(size int) int {
	n := d.length(func() int { return int(d.int32()) })
	if d.err != nil || n <= 0 {
		return 0
	}
	if n > len(d.bytes)/size {
		d.err = errShort
		return 0
	}
	return n
}

// tags skips the tagged fields that end a structure.
func (d *decoder) tags() {
	if !d.flexible {
		return
	}
	for range d.uvarint() {
		d.uvarint()
		d.take(int(min(d.uvarint(), uint64(len(d.bytes))+1)))
		if d.err != nil {
			return
		}
	}
}

// skipInt32s skips an array of int32.
func (d *decoder) skipInt32s() { d.take(4 * d.array(4)) }

// finish is the error of the message as a whole.
func (d *decoder) finish(name string) error {
	if d.err != nil {
		return fmt.Errorf("%s: %w", name, d.err)
	}
	return nil
}
