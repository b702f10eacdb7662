//go:build !amd64

package adagrad

// takePairs takes no step.
func (r *Rule) takePairs(_ []Step, _ *Weights, _ Row, i int, length float64) (done int, sum float64) {
	return i, length
}

// movePairs takes no step.
func (t *Two) movePairs(_ []Step, _ *Weights, _ Row) (done int) { return 0 }
