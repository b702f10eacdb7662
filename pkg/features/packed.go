package features

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

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
	if anyWide(from.Index) {
		form = wide
	}
	first := marks(from.Value) // of the first block, which is all of most rows
	for block := from.Value; len(block) > 0; block = block[min(blockSize, len(block)):] {
		others += bits.OnesCount64(marksOf(block, from.Value, first))
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
	data := (*p)[:size]
	*p = data
	data[0] = form
	binary.LittleEndian.PutUint32(data[1:], uint32(n))
	if indices := data[packedHead:at]; form&wide == 0 {
		packNarrow(indices, from.Index)
	} else {
		for i, j := range from.Index {
			binary.LittleEndian.PutUint32(indices[4*i:], uint32(j))
		}
	}
	if form&valued != 0 {
		packValues(data[at:at+bitmap(n)], data[at+bitmap(n):], from.Value, first)
	}
}

// anyWide says whether an index takes more than two bytes.
func anyWide(indices []int32) bool {
	all := int32(0)
	for len(indices) >= 4 {
		all |= indices[0] | indices[1] | indices[2] | indices[3]
		indices = indices[4:]
	}
	for _, j := range indices {
		all |= j
	}
	return all > math.MaxUint16
}

// blockSize is how many values are marked at once.
const blockSize = 64

// marks has the bits set of those of the first values, up to blockSize, that are not 1.
func marks(values []float32) (m uint64) {
	values = values[:min(blockSize, len(values))]
	i := 0
	for ; len(values) >= 4; i += 4 {
		m |= (differs(values[0]) | differs(values[1])<<1 | differs(values[2])<<2 | differs(values[3])<<3) << (i % blockSize)
		values = values[4:]
	}
	for _, x := range values {
		m |= differs(x) << (i % blockSize)
		i++
	}
	return m
}

// marksOf is marks of a block, which are known of the first one of all values.
func marksOf(block, all []float32, first uint64) uint64 {
	if len(block) == len(all) {
		return first
	}
	return marks(block)
}

// packValues writes the marks of values, and those values that are marked.
func packValues(marked, to []byte, values []float32, first uint64) {
	for block := values; len(block) > 0; block = block[min(blockSize, len(block)):] {
		m := marksOf(block, values, first)
		if len(marked) >= 8 {
			binary.LittleEndian.PutUint64(marked, m)
			marked = marked[8:]
		} else {
			for i := range marked {
				marked[i] = byte(m >> (8 * i))
			}
		}
		for range bits.OnesCount64(m) { // how often is foreseen more easily than which bit is the last
			binary.LittleEndian.PutUint32(to, math.Float32bits(block[bits.TrailingZeros64(m)]))
			to, m = to[4:], m&(m-1)
		}
	}
}

// differs is 1 if a value is not 1, else 0: without a branch, because which ones are not cannot be foreseen.
func differs(x float32) uint64 {
	d := math.Float32bits(x) ^ math.Float32bits(1)
	return uint64((d | -d) >> 31)
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

// NonZeros is how many non-zeros the row has.
func (p Packed) NonZeros() int {
	if len(p) == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(p[1:]))
}

// Narrow gives the parts of p as they are, if its indices take two bytes each: these, the bits of the non-zeros whose value is not 1, and their values.
func (p Packed) Narrow() (indices, marked, values []byte, ok bool) {
	if len(p) == 0 {
		return nil, nil, nil, true
	}
	form, n := p[0], int(binary.LittleEndian.Uint32(p[1:]))
	at := packedHead + 2*n
	switch {
	case form&wide != 0:
		return nil, nil, nil, false
	case form&valued == 0:
		return p[packedHead:at], nil, nil, true
	}
	return p[packedHead:at], p[at : at+bitmap(n)], p[at+bitmap(n):], true
}

// packNarrow writes indices of two bytes each, four at a time. A row is packed once and unpacked two or three times.
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
	for len(to) > 0 {
		block, m := to[:min(blockSize, len(to))], uint64(0)
		to = to[len(block):]
		if len(marked) >= 8 {
			m = binary.LittleEndian.Uint64(marked)
			marked = marked[8:]
		} else {
			for i, b := range marked {
				m |= uint64(b) << (8 * i)
			}
		}
		count := bits.OnesCount64(m)
		if count == len(block) { // as of many numeric columns
			for i := range block {
				block[i] = math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
			}
			values = values[4*count:]
			continue
		}
		copy(block, spelt[:])
		for range count {
			block[bits.TrailingZeros64(m)] = math.Float32frombits(binary.LittleEndian.Uint32(values))
			values, m = values[4:], m&(m-1)
		}
	}
}

// spelt are ones.
var spelt = func() (ones [blockSize]float32) {
	for i := range ones {
		ones[i] = 1
	}
	return ones
}()
