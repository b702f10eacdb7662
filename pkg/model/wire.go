package model

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/fairstream/fairstream/internal/codec"
)

// errShort is what a reader reports when bytes are missing or make no sense. It never depends on how
// many bytes a length claims: lengths are checked against what is left before anything is allocated.
var errShort = errors.New("the state is cut short or damaged")

// writer appends little-endian numbers.
type writer struct{ data []byte }

func (w *writer) uint(x uint64) { w.data = binary.AppendUvarint(w.data, x) }
func (w *writer) int(x int64)   { w.data = binary.AppendVarint(w.data, x) }
func (w *writer) float(x float64) {
	w.data = binary.LittleEndian.AppendUint64(w.data, math.Float64bits(x))
}
func (w *writer) single(x float32) {
	w.data = binary.LittleEndian.AppendUint32(w.data, math.Float32bits(x))
}

func (w *writer) bool(x bool) {
	if x {
		w.data = append(w.data, 1)
	} else {
		w.data = append(w.data, 0)
	}
}

func (w *writer) text(x string) {
	w.uint(uint64(len(x)))
	w.data = append(w.data, x...)
}

func (w *writer) floats(x []float64) {
	w.uint(uint64(len(x)))
	for _, v := range x {
		w.float(v)
	}
}

// reader takes back what writer wrote. After the first error everything is zero.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = errShort
	}
	r.data = nil
}

func (r *reader) uint() uint64 {
	x, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return x
}

func (r *reader) int() int64 {
	x, n := binary.Varint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return x
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.fail()
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) float() float64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func (r *reader) single() float32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// largestSum is beyond what a sum of weights, of their squares or of losses can come to.
const largestSum = 1e60

// sum reads a number that is not negative.
func (r *reader) sum() float64 {
	x := r.float()
	if !(x >= 0 && x <= largestSum) {
		r.fail()
	}
	return x
}

// finite reads a number that is neither infinite nor not a number.
func (r *reader) finite() float64 {
	x := r.float()
	if !(math.Abs(x) <= math.MaxFloat64) {
		r.fail()
		return 0
	}
	return x
}

// count reads a number of records.
func (r *reader) count() int64 {
	n := r.int()
	if n < 0 {
		r.fail()
	}
	return n
}

func (r *reader) bool() bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 {
		r.fail()
	}
	return b[0] == 1
}

// length reads a number of items that take at least size bytes each.
func (r *reader) length(size int) int {
	n := r.uint()
	if n > uint64(len(r.data)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return string(r.take(r.length(1))) }

func (r *reader) floats() []float64 {
	n := r.length(8)
	if n == 0 {
		return nil
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.float()
	}
	return x
}

// index reads a number in [0, limit).
func (r *reader) index(limit int) int {
	x := r.uint()
	if x >= uint64(limit) {
		r.fail()
		return 0
	}
	return int(x)
}

// coded writes what has a codec.
func (w *writer) coded(fields func(*codec.Coder)) {
	c := codec.NewWriter(w.data)
	fields(c)
	w.data = c.Bytes()
}

// coded reads what has a codec.
func (r *reader) coded(fields func(*codec.Coder)) {
	c := codec.NewReader(r.data)
	fields(c)
	if r.data = c.Bytes(); c.Err() != nil {
		r.fail()
	}
}
