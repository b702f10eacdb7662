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

// movePairs takes the steps of both models at a time, up to a weight that does not exist, and returns how many.
func (t *Two) movePairs(steps []Step, w *Weights, row Row) (done int) {
	if len(row.Index) == 0 || len(w.Values) < t.At+numbersOfTwo {
		return 0
	}
	count := (len(w.Values)-t.At-numbersOfTwo)/w.Stride + 1
	var value *float32
	if len(row.Value) > 0 {
		value = unsafe.SliceData(row.Value[:len(row.Index)])
	}
	return move(&steps[0], t, &w.Values[t.At], numberBytes*w.Stride, count, &row.Index[0], value, len(row.Index))
}

// move takes so many steps, from the first one on, and returns how many it took. The numbers that the models have of the first weight are at values.
//
//go:noescape
func move(first *Step, t *Two, values *float64, stride, count int, index *int32, value *float32, nonZeros int) (done int)
