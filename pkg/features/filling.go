package features

import "slices"

// filling is a row that the non-zeros of remembered texts are written to, between fill and end with the ones of Value written out.
type filling struct {
	row   *Row
	open  bool      // between fill and end
	index []int32   // with room
	value []float32 // as long
	n     int       // non-zeros
	ones  int       // of value, which were written out before
	other bool      // a value is, or may be, other than 1
}

// fill goes on with the row, to which so many texts may be added.
func (f *filling) fill(texts int) {
	row := f.row
	n, value := len(row.Index), row.Value
	if f.other = len(value) > 0; !f.other {
		value = value[:f.ones]
	}
	room := n + fewWeights*texts
	if cap(row.Index) < room || cap(value) < room {
		row.Index, value = slices.Grow(row.Index, room-n), slices.Grow(value, room-len(value))
	}
	for len(value) < n {
		value = append(value, 1)
	}
	room = min(cap(row.Index), cap(value))
	f.index, f.value, f.n, f.open = row.Index[:room], value[:room], n, true
}

// add adds the non-zeros of a text. It copies all that there may be of them, and counts those that there are: a loop whose length cannot be predicted takes
// longer.
func (f *filling) add(known *remembered) {
	*(*[fewWeights]int32)(f.index[f.n:]) = known.weights
	*(*[fewWeights]float32)(f.value[f.n:]) = [fewWeights]float32{known.first, 1, 1, 1}
	f.n += int(known.count)
	f.other = f.other || known.scaled
}

// end makes the row what has been filled.
func (f *filling) end() {
	if !f.open {
		return
	}
	f.open = false
	f.row.Index, f.row.Value, f.ones = f.index[:f.n], f.value[:0], f.n
	if f.other {
		f.row.Value = f.value[:f.n]
	}
}
