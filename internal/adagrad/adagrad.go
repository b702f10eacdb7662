// Package adagrad divides the step of AdaGrad among the weights of a row, and takes it. On amd64 it divides among two weights at a time: square roots and
// divisions are most of what a step costs, and a processor does two of them in the time of one. Likewise it moves two models at a time. Results have the same
// bits everywhere.
//
// Files, in reading order:
//
//	adagrad.go      the AdaGrad steps of a row, one weight at a time
//	move.go         the steps of two models, one weight at a time
//	pairs_amd64.go  two weights, or two models, at a time, in pairs_amd64.s
//	pairs_other.go  no pairs, on other processors
//
// It imports nothing of the project.
package adagrad

import "math"

// Step is that of one weight: its size, the share of the weight that it takes away, and the sum of squared gradients after the record.
type Step struct{ Size, Shrink, Curvature float64 }

// Weights are where weights keep their numbers: Values[j·Stride] is the sum of squared gradients of weight j, its curvature, which is above 0, and
// the one behind it the precision of its prior.
type Weights struct {
	Values []float64
	Stride int
}

// Row are the non-zeros of a row: the indices of their weights, and their values, none if all are 1.
type Row struct {
	Index []int32
	Value []float32
}

// Rule is how large the steps of a record are.
type Rule struct {
	// Size is that of the steps before they are divided by the root of the curvature, Square the square of the gradient.
	Size, Square float64
	// Keep is by what the curvature is multiplied before the record.
	Keep float64
	// A weight that a prior draws to 0 more strongly than one of the precision Start takes smaller steps. Noise is the variance of the labels.
	Start, Noise float64
	// Regularization draws all weights to 0.
	Regularization float64
	// Root divides all steps in place of the roots of the curvatures, if it is not 0.
	Root float64
}

// Take adds a record to the curvatures of the weights of its row, and computes their steps, as many as the row has non-zeros, each implicit in what
// draws it to 0:
//
//	information = Square·x², curvature = curvature·Keep + information
//	slowed = curvature + Noise²·max(0, precision − Start),  pull = Regularization·curvature + Noise·precision·information
//	taken = Size / (root(curvature)·slowed + Size·pull),  step = taken·curvature,  shrink = taken·pull
//
// It returns Σ step·x².
func (r *Rule) Take(steps []Step, w *Weights, row Row) (length float64) {
	for i := 0; i < len(steps); i++ {
		if r.Root == 0 {
			if i, length = r.takePairs(steps, w, row, i, length); i == len(steps) {
				break
			}
		}
		length += r.one(&steps[i], w, row, i)
	}
	return length
}

// one takes the step of the i-th non-zero, and returns step·x².
func (r *Rule) one(s *Step, w *Weights, row Row, i int) float64 {
	x2 := 1.0
	if i < len(row.Value) {
		x2 = float64(float64(row.Value[i]) * float64(row.Value[i]))
	}
	numbers := w.Values[int(row.Index[i])*w.Stride:][:2]
	information, precision := float64(r.Square*x2), numbers[1]
	curvature := float64(numbers[0]*r.Keep) + information
	numbers[0] = curvature
	// Numerator and denominator of step and pull are multiplied by the curvature: one division instead of three.
	slowed := curvature
	if precision > r.Start {
		slowed += float64(float64(r.Noise*r.Noise) * (precision - r.Start))
	}
	pull := float64(r.Regularization*curvature) + float64(float64(r.Noise*precision)*information)
	root := r.Root
	if root == 0 {
		root = math.Sqrt(curvature)
	}
	taken := r.Size / (float64(root*slowed) + float64(r.Size*pull))
	*s = Step{Size: float64(taken * curvature), Shrink: float64(taken * pull), Curvature: curvature}
	return float64(s.Size * x2)
}
