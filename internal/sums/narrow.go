package sums

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Narrow is a row in little memory, as it is kept, and how much of it has been added: little-endian, the indices of its non-zeros in two bytes each,
// a bit for each of them whose value is not 1, and these values. Without such values, Marks and Values are empty.
type Narrow struct {
	Index, Marks, Values []byte

	done  int    // non-zeros
	value int    // where the next one of Values is
	marks uint64 // of the next non-zeros, up to a multiple of narrowBlock
}

// narrowBlock is how many marks are read at once.
const narrowBlock = 64

// Done is how many non-zeros have been added.
func (r *Narrow) Done() int { return r.done }

// Next is the index of the first one that has not.
func (r *Narrow) Next() int { return int(binary.LittleEndian.Uint16(r.Index[2*r.done:])) }

// AddNarrow adds the non-zeros of a row that have not been added with their parts, up to one whose part is of another number, or which has none. It
// says whether that was all of them.
func (s *Sums) AddNarrow(w *Weights, r *Narrow, parts []Part, number int64) (all bool) {
	for n := len(r.Index) / 2; r.done < n; {
		within := r.done % narrowBlock
		if within == 0 {
			r.mark()
		}
		count := min(n-r.done, narrowBlock-within)
		ones := r.ones(count)
		done := s.addNarrowPairs(w, r, count, ones, parts, number)
		if done == count { // of the marks, too, none is left
			r.value += 4 * ones
			r.done += count
			continue
		}
		r.pass(done)
		j := r.Next()
		if j >= len(parts) || parts[j].Of != number {
			return false
		}
		x := 1.0
		if r.marks&1 != 0 {
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(r.Values[r.value:])))
		}
		s.oneOf(w, j, x)
		s.part(&parts[j], float64(x*x))
		r.pass(1)
	}
	return true
}

// mark reads the marks of the next block.
func (r *Narrow) mark() {
	if r.marks = 0; len(r.Marks) == 0 {
		return
	}
	marked := r.Marks[r.done/8:]
	if cap(marked) >= 8 { // what may be behind them is of no non-zero
		r.marks = binary.LittleEndian.Uint64(marked[:8])
		return
	}
	for i, b := range marked {
		r.marks |= uint64(b) << (8 * i)
	}
}

// ones is how many of the next non-zeros have a value of their own.
func (r *Narrow) ones(count int) int { return bits.OnesCount64(r.marks & (1<<count - 1)) }

// pass takes note that so many were added.
func (r *Narrow) pass(count int) {
	r.value += 4 * r.ones(count)
	r.marks >>= count
	r.done += count
}
