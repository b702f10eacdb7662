// Package adagrad divides the step of AdaGrad among the weights of a row. On amd64 it takes two weights at a time: square roots and divisions
// are most of what a step costs, and a processor does two of them in the time of one. Results have the same bits everywhere.
//
// Files, in reading order:
//
//	adagrad.go     the steps, one weight at a time
//	pairs_amd64.go two at a time, in pairs_amd64.s
//	pairs_other.go where processors are other ones
//
// It imports nothing of the project.
package adagrad

import "math"

// Step is that of one weight: its size, the share of the weight that it takes away, and the sum of squared gradients after the record.
//
// Before Take, Size holds the curvature by which the step is divided beside its root, and Shrink the pull to 0 times the curvature.
type Step struct{ Size, Shrink, Curvature float64 }

// Take computes the steps of weights, each implicit in its pull:
//
//	taken = size / (root(Curvature)·Size + size·Shrink),  Size = taken·Curvature,  Shrink = taken·Shrink
//
// Curvature is above 0 and stays as it is.
func Take(steps []Step, size float64) {
	done := takePairs(steps, size)
	for i := done; i < len(steps); i++ {
		s := &steps[i]
		s.Take(math.Sqrt(s.Curvature), size)
	}
}

// Take computes one step with another root than that of its curvature.
func (s *Step) Take(root, size float64) {
	taken := size / (float64(root*s.Size) + float64(size*s.Shrink))
	s.Size, s.Shrink = float64(taken*s.Curvature), float64(taken*s.Shrink)
}
