package sums

import "unsafe"

// numberBytes is the size of a number.
const numberBytes = 8

// addPairs adds the non-zeros of a row up to one whose weight does not exist, which is as wrong as an index beyond a slice, and returns how many.
func (s *Sums) addPairs(w *Weights, r Row) (done int) {
	count := w.count()
	if len(r.Index) == 0 || count == 0 {
		return 0
	}
	return add(s, &w.Values[w.At], numberBytes*w.Stride, count, &r.Index[0], r.values(0), len(r.Index))
}

// addPairsWith adds the non-zeros from the i-th on with their parts, up to one whose weight does not exist or whose part is of another number, and
// returns how many.
func (s *Sums) addPairsWith(w *Weights, r Row, i int, parts []Part, number int64) (done int) {
	count := min(w.count(), len(parts))
	if i >= len(r.Index) || count == 0 {
		return 0
	}
	return addWith(s, &w.Values[w.At], numberBytes*w.Stride, count, &r.Index[i], r.values(i), len(r.Index)-i, &parts[0], number)
}

// addNarrowPairs adds so many non-zeros, of which so many have values of their own, up to one as above, and returns how many. Their marks have been read.
func (s *Sums) addNarrowPairs(w *Weights, r *Narrow, nonZeros, ones int, parts []Part, number int64) (done int) {
	count := min(w.count(), len(parts))
	if count == 0 {
		return 0
	}
	values := r.Values[r.value : r.value+4*ones] // or it is as wrong as an index beyond a slice
	return addNarrow(s, &w.Values[w.At], numberBytes*w.Stride, count, &r.Index[2*r.done], r.marks, unsafe.SliceData(values), nonZeros, &parts[0], number)
}

// values is where the values of the non-zeros from the i-th on are, nil if all are 1.
func (r *Row) values(i int) *float32 {
	if len(r.Value) == 0 {
		return nil
	}
	return unsafe.SliceData(r.Value[i:len(r.Index)])
}

// add adds so many non-zeros. The numbers of the first weight are at first, those of the next one stride bytes further; there are count weights.
//
//go:noescape
func add(s *Sums, first *float64, stride, count int, index *int32, value *float32, nonZeros int) (done int)

//go:noescape
func addWith(s *Sums, first *float64, stride, count int, index *int32, value *float32, nonZeros int, parts *Part, number int64) (done int)

//go:noescape
func addNarrow(s *Sums, first *float64, stride, count int, index *byte, marks uint64, value *byte, nonZeros int, parts *Part, number int64) (done int)
