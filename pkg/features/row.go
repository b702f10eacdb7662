package features

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
)

// Intercept is the index of the weight that every row has.
const Intercept int32 = 0

// Row is one encoded record: the non-zeros of its feature vector. An index comes twice only if two texts of the record
// share a weight by hash.
type Row struct {
	// Index has the index of a weight for each non-zero.
	Index []int32
	// Value is as long as Index, or empty if all values are 1. Single precision halves what a window of rows takes.
	Value []float32
}

// At returns the i-th value.
func (r *Row) At(i int) float64 {
	if len(r.Value) == 0 {
		return 1
	}
	return float64(r.Value[i])
}

// Add adds a non-zero, rounded to single precision. An index that came before counts once more.
func (r *Row) Add(index int32, value float64) {
	if value != 1 || len(r.Value) > 0 {
		r.Spell()
		r.Value = append(r.Value, float32(value))
	}
	r.Index = append(r.Index, index)
}

// Spell writes out the ones that an empty Value stands for.
func (r *Row) Spell() {
	for len(r.Value) < len(r.Index) {
		r.Value = append(r.Value, 1)
	}
}

// Packed is a row in little memory, for rows that are kept. Layout, little-endian:
//
//	0      1          5          5+s·n
//	┌──────┬──────────┬──────────┬────────────────┬────────────────────┐
//	│ form │ n        │ indices  │ n bits         │ values, float32    │
//	│ byte │ uint32   │ s each   │ both only in the form valued        │
//	└──────┴──────────┴──────────┴────────────────┴────────────────────┘
//
// n is the number of non-zeros. An index takes s = 2 bytes, or 4 in the form wide. In the form valued, the bits of the non-zeros whose value is not 1
// are set, and their values follow. No bytes are a row without non-zeros.
type Packed []byte

// The forms of a packed row.
const (
	wide = 1 << iota
	valued
)

// packedHead is the length of what precedes the indices.
const packedHead = 5

// Slab is memory that the first rows of many Packed are cut from: tens of thousands of rows are then some dozens of allocations.
type Slab []byte

// slabBytes is how much memory a slab takes at once.
const slabBytes = 64 << 10

// cut gives room for so many bytes.
func (s *Slab) cut(size int) []byte {
	if len(*s) < size {
		if size > slabBytes/8 {
			return make([]byte, 0, size)
		}
		*s = make([]byte, slabBytes)
	}
	room := (*s)[:0:size]
	*s = (*s)[size:]
	return room
}

// Pack makes p equal to a row, in its own memory. Memory is taken in multiples of 32 bytes, so that it soon fits every row of a stream: at first from
// a slab, and of its own if a longer row takes the place of a shorter one.
func (p *Packed) Pack(from *Row, slab *Slab) {
	const unit = 32
	n, form, others := len(from.Index), byte(0), 0
	if n == 0 {
		*p = (*p)[:0]
		return
	}
	all := int32(0)
	for _, j := range from.Index {
		all |= j
	}
	if all > math.MaxUint16 {
		form = wide
	}
	for _, x := range from.Value {
		others += int(differs(x))
	}
	if others > 0 {
		form |= valued
	}
	at := packedHead + n*indexSize(form)
	size := at
	if form&valued != 0 {
		size += bitmap(n) + 4*others
	}
	if room := (size + unit - 1) / unit * unit; cap(*p) == 0 {
		*p = slab.cut(room)
	} else if cap(*p) < size {
		*p = make([]byte, 0, room)
	}
	*p = (*p)[:size]
	data := *p
	data[0] = form
	binary.LittleEndian.PutUint32(data[1:], uint32(n))
	if indices := data[packedHead:at]; form&wide == 0 {
		packNarrow(indices, from.Index)
	} else {
		for i, j := range from.Index {
			binary.LittleEndian.PutUint32(indices[4*i:], uint32(j))
		}
	}
	if form&valued == 0 {
		return
	}
	marked, values := data[at:at+bitmap(n)], data[at+bitmap(n):]
	for i := range marked {
		some, b := from.Value[8*i:min(8*i+8, n)], byte(0)
		for k, x := range some {
			b |= differs(x) << k
		}
		marked[i] = b
		for ; b != 0; b &= b - 1 {
			binary.LittleEndian.PutUint32(values, math.Float32bits(some[bits.TrailingZeros8(b)]))
			values = values[4:]
		}
	}
}

// differs is 1 if a value is not 1, else 0: without a branch, because which ones are not cannot be foreseen.
func differs(x float32) byte {
	d := math.Float32bits(x) ^ math.Float32bits(1)
	return byte((d | -d) >> 31)
}

// indexSize is how many bytes an index takes, bitmap how many the bits of so many non-zeros take.
func indexSize(form byte) int { return 2 + 2*int(form&wide) }

func bitmap(n int) int { return (n + 7) / 8 }

// Unpack makes a row equal to p. It does not allocate once the row's memory has grown.
func (p Packed) Unpack(to *Row) {
	to.Empty()
	if len(p) == 0 {
		return
	}
	form, n := p[0], int(binary.LittleEndian.Uint32(p[1:]))
	at := packedHead + n*indexSize(form)
	to.Index = slices.Grow(to.Index, n)[:n]
	if indices := p[packedHead:at]; form&wide == 0 {
		unpackNarrow(to.Index, indices)
	} else {
		for i := range to.Index {
			to.Index[i] = int32(binary.LittleEndian.Uint32(indices[4*i:]))
		}
	}
	if form&valued == 0 {
		return
	}
	to.Value = slices.Grow(to.Value, n)[:n]
	unpackValues(to.Value, p[at:at+bitmap(n)], p[at+bitmap(n):])
}

// packNarrow writes indices of two bytes each. A row is packed once and unpacked two or three times, so indices are moved four, and values eight at a
// time.
func packNarrow(to []byte, from []int32) {
	for len(from) >= 4 && len(to) >= 8 {
		binary.LittleEndian.PutUint64(to, uint64(uint16(from[0]))|uint64(uint16(from[1]))<<16|uint64(uint16(from[2]))<<32|uint64(uint16(from[3]))<<48)
		to, from = to[8:], from[4:]
	}
	for i, j := range from {
		binary.LittleEndian.PutUint16(to[2*i:], uint16(j))
	}
}

// unpackNarrow reads them again.
func unpackNarrow(to []int32, from []byte) {
	for len(to) >= 4 && len(from) >= 8 {
		four := binary.LittleEndian.Uint64(from)
		to[0], to[1], to[2], to[3] = int32(uint16(four)), int32(uint16(four>>16)), int32(uint16(four>>32)), int32(four>>48)
		to, from = to[4:], from[8:]
	}
	for i := range to {
		to[i] = int32(binary.LittleEndian.Uint16(from[2*i:]))
	}
}

// unpackValues reads the values that are marked; the others are 1.
func unpackValues(to []float32, marked, values []byte) {
	for _, b := range marked {
		some := to[:min(8, len(to))]
		to = to[len(some):]
		if b == math.MaxUint8 && len(some) == 8 && len(values) >= 32 {
			for i := range some {
				some[i] = math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
			}
			values = values[32:]
			continue
		}
		for i := range some {
			some[i] = 1
		}
		for ; b != 0; b &= b - 1 {
			some[bits.TrailingZeros8(b)] = math.Float32frombits(binary.LittleEndian.Uint32(values))
			values = values[4:]
		}
	}
}

// Fields codes the row. Its indices must be below size. Indices are written as differences, which are small.
func (r *Row) Fields(c *codec.Coder, size int32) {
	n := c.Length(len(r.Index), 1)
	if c.Reading() {
		r.Index, r.Value = nil, nil
	}
	last := int64(0)
	for i := range n {
		if c.Reading() {
			r.Index = append(r.Index, 0)
		}
		difference := int64(r.Index[i]) - last
		c.Int(&difference)
		last += difference
		if c.Check(last >= 0 && last < int64(size)); c.Err() != nil {
			*r = Row{}
			return
		}
		r.Index[i] = int32(last)
	}
	spelt := len(r.Value) > 0
	c.Bool(&spelt)
	for i := range n {
		if !spelt || c.Err() != nil {
			return
		}
		if c.Reading() {
			r.Value = append(r.Value, 0)
		}
		c.Single(&r.Value[i])
	}
}

// Empty removes all non-zeros, and keeps the memory.
func (r *Row) Empty() {
	r.Index = r.Index[:0]
	r.Value = r.Value[:0]
}

// fewWeights is how many weights of one text are remembered at most: the number itself, a bin, its coarse bin and a level.
const fewWeights = 4

// addFew adds the first count of few non-zeros. Their values are 1, but for that of the first one if it is scaled. It copies all of them
// and then cuts off the rest: a loop whose length cannot be predicted takes longer.
func (r *Row) addFew(weights *[fewWeights]int32, count int, scaled bool, first float32) {
	n := len(r.Index)
	if n+fewWeights > cap(r.Index) || n+fewWeights > cap(r.Value) {
		r.grow()
	}
	*(*[fewWeights]int32)(r.Index[n : n+fewWeights]) = *weights
	r.Index = r.Index[:n+count]
	if len(r.Value) < n && !scaled {
		return // all are 1 so far
	}
	for len(r.Value) < n {
		r.Value = append(r.Value, 1)
	}
	*(*[fewWeights]float32)(r.Value[n : n+fewWeights]) = [fewWeights]float32{1, 1, 1, 1}
	if scaled {
		r.Value[:n+1][n] = first
	}
	r.Value = r.Value[:n+count]
}

// grow makes room for a few non-zeros more.
func (r *Row) grow() {
	r.Index, r.Value = slices.Grow(r.Index, fewWeights), slices.Grow(r.Value, len(r.Index)+fewWeights)
}
