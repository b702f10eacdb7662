package adagrad

// Two are two models that take the steps of a row.
type Two struct {
	// Gradient is that of each in its margin.
	Gradient [2]float64
	// PerDecay is what moves the average of a model, for a weight that moves by 1.
	PerDecay float64
	// At is where the numbers of the models begin among those of a weight: the weight in the first model and the number that keeps its average, then both
	// in the second one.
	At int
}

// numbersOfTwo is how many numbers two models have of a weight.
const numbersOfTwo = 4

// Move takes the steps of a row:
//
//	moved = Size·(Gradient·x) + Shrink·weight,  weight −= moved,  average −= moved·PerDecay
func (t *Two) Move(steps []Step, w *Weights, row Row) {
	steps = steps[:len(row.Index)]
	for i := t.movePairs(steps, w, row); i < len(row.Index); i++ {
		t.one(&steps[i], w, row, i)
	}
}

// one takes the step of the i-th non-zero.
func (t *Two) one(s *Step, w *Weights, row Row, i int) {
	x := 1.0
	if i < len(row.Value) {
		x = float64(row.Value[i])
	}
	numbers := w.Values[int(row.Index[i])*w.Stride+t.At:][:numbersOfTwo]
	for k, gradient := range t.Gradient {
		moved := float64(s.Size*float64(gradient*x)) + float64(s.Shrink*numbers[2*k])
		numbers[2*k] -= moved
		numbers[2*k+1] -= float64(moved * t.PerDecay)
	}
}
