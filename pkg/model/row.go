package model

// Row is one encoded record: the non-zeros of its feature vector. Indices may repeat only if a
// record's columns share a hash bucket.
type Row struct {
	Index []int32
	// Value is as long as Index, or empty where all values are 1, as most rows' are.
	Value []float64
}

func (r *Row) reset() {
	r.Index = r.Index[:0]
	r.Value = r.Value[:0]
}

func (r *Row) add(index int32, value float64) {
	if value != 1 || len(r.Value) > 0 {
		r.spell()
		r.Value = append(r.Value, value)
	}
	r.Index = append(r.Index, index)
}

// fewWeights is how many weights a text has at most that the encoder remembers.
const fewWeights = 3

// addOnes adds the first count of few weights, with the value 1. It writes all of them and takes back the rest:
// how many they are cannot be foreseen.
func (r *Row) addOnes(weights *[fewWeights]int32, count int) {
	n := len(r.Index)
	if len(r.Value) > 0 || n+fewWeights > cap(r.Index) {
		for _, weight := range weights[:count] {
			r.add(weight, 1)
		}
		return
	}
	*(*[fewWeights]int32)(r.Index[n : n+fewWeights]) = *weights
	r.Index = r.Index[:n+count]
}

// spell writes out the ones that an empty Value stands for.
func (r *Row) spell() {
	for len(r.Value) < len(r.Index) {
		r.Value = append(r.Value, 1)
	}
}

// value is the i-th value.
func (r *Row) value(i int) float64 {
	if len(r.Value) == 0 {
		return 1
	}
	return r.Value[i]
}
