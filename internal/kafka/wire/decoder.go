package wire

import (
	"encoding/binary"
	"fmt"
)

// Decoder reads the same types. It keeps the first error, after which every read gives zero: a caller checks err once,
// at the end. Nothing is allocated from a length on the wire that its remaining bytes could not hold.
type Decoder struct {
	bytes    []byte
	flexible bool
	Err      error
}

func (d *Decoder) cut(n int) []byte {
	if d.Err != nil {
		return nil
	}
	if n < 0 || n > len(d.bytes) {
		d.Err = errShort
		return nil
	}
	b := d.bytes[:n:n]
	d.bytes = d.bytes[n:]
	return b
}

func (d *Decoder) int8() int8 {
	if b := d.cut(1); b != nil {
		return int8(b[0])
	}
	return 0
}

func (d *Decoder) Int16() int16 {
	if b := d.cut(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (d *Decoder) Int32() int32 {
	if b := d.cut(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *Decoder) Int64() int64 {
	if b := d.cut(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (d *Decoder) uuid() (id [16]byte) {
	copy(id[:], d.cut(16))
	return id
}

func (d *Decoder) uvarint() uint64 {
	if d.Err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.bytes)
	if n <= 0 {
		d.Err = errShort
		return 0
	}
	d.bytes = d.bytes[n:]
	return v
}

// length is the length of a string, of bytes or of an array; -1 is null.
func (d *Decoder) length(fixed func() int) int {
	if !d.flexible {
		return fixed()
	}
	n := d.uvarint()
	if n > uint64(len(d.bytes))+1 {
		d.Err = errShort
		return 0
	}
	return int(n) - 1
}

// Text reads a string; null is empty.
func (d *Decoder) Text() string {
	return string(d.cut(max(0, d.length(func() int { return int(d.Int16()) }))))
}

// blob reads bytes, which it does not copy; null is empty.
func (d *Decoder) blob() []byte {
	return d.cut(max(0, d.length(func() int { return int(d.Int32()) })))
}

// Array reads the number of elements of an array of at least size bytes each; null is none.
func (d *Decoder) Array(size int) int {
	n := max(0, d.length(func() int { return int(d.Int32()) }))
	if n > len(d.bytes)/size {
		d.Err = errShort
		return 0
	}
	return n
}

// Tags skips the tagged fields that end a structure.
func (d *Decoder) Tags() {
	if !d.flexible {
		return
	}
	for range d.uvarint() {
		d.uvarint()
		d.cut(int(min(d.uvarint(), uint64(len(d.bytes))+1)))
		if d.Err != nil {
			return
		}
	}
}

// skipInt32s skips an array of int32.
func (d *Decoder) skipInt32s() { d.cut(4 * d.Array(4)) }

// Finish is the error of the message as a whole.
func (d *Decoder) Finish(name string) error {
	if d.Err != nil {
		return fmt.Errorf("%s: %w", name, d.Err)
	}
	return nil
}
