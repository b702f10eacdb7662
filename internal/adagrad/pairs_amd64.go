package adagrad

import "unsafe"

// numberBytes is the size of a number.
const numberBytes = 8

// takePairs takes the steps from the i-th on, up to a last one without another beside it, to two of the same weight, or to one whose weight does not
// exist, which is as wrong as an index beyond a slice. It returns how far it came, and length with these steps.
func (r *Rule) takePairs(steps []Step, w *Weights, row Row, i int, length float64) (done int, sum float64) {
	count, pairs := len(w.Values)/w.Stride, (min(len(steps), len(row.Index))-i)/2
	if pairs <= 0 || count == 0 {
		return i, length
	}
	var value *float32
	if len(row.Value) > 0 {
		value = unsafe.SliceData(row.Value[i:len(row.Index)])
	}
	taken, sum := take(&steps[i], r, &w.Values[0], numberBytes*w.Stride, count, &row.Index[i], value, pairs, length)
	return i + 2*taken, sum
}

// take takes the steps of so many pairs, from the first one on, and returns how many it took and length with these. The numbers of the first weight
// are at values, those of the next one stride bytes further; there are count weights.
//
//go:noescape
func take(first *Step, r *Rule, values *float64, stride, count int, index *int32, value *float32, pairs int, length float64) (taken int, sum float64)
