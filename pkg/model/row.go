package model

// Row is one encoded record: the non-zeros of its feature vector. Indices may repeat only if a
// record's columns share a hash bucket. Both slices have the same length.
type Row struct {
	Index []int32
	Value []float64
}

func (r *Row) reset() {
	r.Index = r.Index[:0]
	r.Value = r.Value[:0]
}

func (r *Row) add(index int32, value float64) {
	r.Index = append(r.Index, index)
	r.Value = append(r.Value, value)
}

// value is the i-th value: 1 in a row that keeps none.
func (r *Row) value(i int) float64 {
	if len(r.Value) == 0 {
		return 1
	}
	return r.Value[i]
}
