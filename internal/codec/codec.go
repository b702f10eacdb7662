package codec

import (
	"encoding/binary"
	"errors"
	"math"
)

var (
	// ErrDamaged says that bytes are missing, or make no sense.
	ErrDamaged = errors.New("the state is cut short or damaged")
	// ErrNewer says that a section holds more than this program reads.
	ErrNewer = errors.New("the state holds more than this program knows: use the program that wrote it, or a newer one")
)

// Coder writes fields, or reads them: the methods take a pointer to a field, which they write the value of or set.
type Coder struct {
	data    []byte // written so far, or left to be read
	reading bool
	err     error
	stream  *stream // nil unless data goes on to a stream
	hold    *hold   // nil unless data is held
}

// NewWriter returns a Coder that appends to dst.
func NewWriter(dst []byte) *Coder { return &Coder{data: dst} }

// NewReader returns a Coder that reads data. It keeps no part of data.
func NewReader(data []byte) *Coder { return &Coder{data: data, reading: true} }

// Reading says whether fields are set rather than written.
func (c *Coder) Reading() bool { return c.reading }

// Bytes returns what was written, or what has not been read.
func (c *Coder) Bytes() []byte { return c.data }

// Err is the first error, nil if there was none. A Coder that writes has none.
func (c *Coder) Err() error { return c.err }

// End returns the first error; bytes that nobody has read are one.
func (c *Coder) End() error {
	if c.reading && c.err == nil && len(c.data) > 0 {
		c.fail(ErrNewer)
	}
	return c.err
}

// Check fails unless what was read is valid. What is written is.
func (c *Coder) Check(valid bool) {
	if c.reading && !valid {
		c.fail(ErrDamaged)
	}
}

func (c *Coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.data = nil
}

// Section codes the fields of one part, with their length before them. A part may get further fields at its end: More
// says whether a state has them. A section that is longer than its fields is an error, ErrNewer.
func (c *Coder) Section(fields func()) {
	if c.stream != nil {
		c.stream.section(c, fields)
		return
	}
	if c.hold != nil {
		c.hold.section(c, fields)
		return
	}
	if !c.reading {
		start := len(c.data)
		c.data = append(c.data, make([]byte, 4)...) // its length
		fields()
		binary.LittleEndian.PutUint32(c.data[start:], uint32(len(c.data)-start-4))
		return
	}
	length := c.cut(4)
	if length == nil {
		return
	}
	part := c.cut(int(binary.LittleEndian.Uint32(length)))
	if c.err != nil {
		return
	}
	rest := c.data
	c.data = part
	fields()
	if c.End() == nil {
		c.data = rest
	}
}

// More says whether the section has another field: always while writing.
func (c *Coder) More() bool { return !c.reading || len(c.data) > 0 }

// cut reads n bytes, nil if there are not so many.
func (c *Coder) cut(n int) []byte {
	if n < 0 || n > len(c.data) {
		c.fail(ErrDamaged)
		return nil
	}
	taken := c.data[:n:n]
	c.data = c.data[n:]
	return taken
}

// Uint codes any whole number that is not negative, as a varint.
func (c *Coder) Uint(x *uint64) {
	if !c.reading {
		c.data = binary.AppendUvarint(c.data, *x)
		c.wrote()
		return
	}
	value, n := binary.Uvarint(c.data)
	if n <= 0 {
		value, n = 0, 0
		c.fail(ErrDamaged)
	}
	*x, c.data = value, c.data[n:]
}

// Int codes any whole number, as a varint.
func (c *Coder) Int(x *int64) {
	if !c.reading {
		c.data = binary.AppendVarint(c.data, *x)
		c.wrote()
		return
	}
	value, n := binary.Varint(c.data)
	if n <= 0 {
		value, n = 0, 0
		c.fail(ErrDamaged)
	}
	*x, c.data = value, c.data[n:]
}

// Count codes a number of records, which is not negative.
func (c *Coder) Count(x *int64) {
	c.Int(x)
	c.Check(*x >= 0)
}

// Float codes any number, infinities and not a number included.
func (c *Coder) Float(x *float64) {
	if !c.reading {
		c.data = binary.LittleEndian.AppendUint64(c.data, math.Float64bits(*x))
		c.wrote()
		return
	}
	*x = 0
	if b := c.cut(8); b != nil {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
}

// Single is Float with half the digits.
func (c *Coder) Single(x *float32) {
	if !c.reading {
		c.data = binary.LittleEndian.AppendUint32(c.data, math.Float32bits(*x))
		c.wrote()
		return
	}
	*x = 0
	if b := c.cut(4); b != nil {
		*x = math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
}

// Within codes a number of at most limit, either way.
func (c *Coder) Within(x *float64, limit float64) {
	c.Float(x)
	c.Check(math.Abs(*x) <= limit)
}

// Finite codes a number that is neither infinite nor not a number.
func (c *Coder) Finite(x *float64) { c.Within(x, math.MaxFloat64) }

// LargestSum is beyond what a sum of weights, of their squares or of losses can come to.
const LargestSum = 1e60

// Sum codes a sum of terms that are not negative.
func (c *Coder) Sum(x *float64) {
	c.Float(x)
	c.Check(*x >= 0 && *x <= LargestSum)
}

// Bool codes a truth value.
func (c *Coder) Bool(x *bool) {
	if !c.reading {
		b := byte(0)
		if *x {
			b = 1
		}
		c.data = append(c.data, b)
		c.wrote()
		return
	}
	*x = false
	if b := c.cut(1); b != nil {
		c.Check(b[0] <= 1)
		*x = b[0] == 1
	}
}

// Fail makes err the error, unless there is one already.
func (c *Coder) Fail(err error) {
	if c.reading {
		c.fail(err)
	}
}

// Rest skips what is left, which the caller cannot use.
func (c *Coder) Rest() {
	if c.reading && c.err == nil {
		c.data = nil
	}
}
