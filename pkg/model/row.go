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
