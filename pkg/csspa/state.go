package csspa

import (
	"fmt"
	"math"
	"slices"
)

// State is everything adaptive in a method, and so exactly what a snapshot
// saves: restored into a method for the same problem and schedule, it goes on bit
// for bit as if it had never stopped.
type State struct {
	Steps   int       // steps taken
	Refused int       // samples that were refused: see Method
	X       []float64 // x_{t+1}, length n
	Y       []float64 // y_{t+1}, follows E g, length m
	U       []float64 // u_{t+1}, follows E h, length d
	Lambda  []float64 // λ_{t+1}, length J; only CSSPA has multipliers

	Previous []float64 // x_t, length n; only the accelerated method looks back

	// The output x̂ = Sum / Weight.
	Sum    []float64 // Σ α_t x_t, length n
	Weight float64   // Σ α_t
}

// Clone returns a copy that shares nothing with s.
func (s State) Clone() State {
	s.X = slices.Clone(s.X)
	s.Y = slices.Clone(s.Y)
	s.U = slices.Clone(s.U)
	s.Lambda = slices.Clone(s.Lambda)
	s.Previous = slices.Clone(s.Previous)
	s.Sum = slices.Clone(s.Sum)
	return s
}

// Finite returns an error that names the first coordinate that is infinite, not a
// number, or above 1e100: this is how a step size that is too large shows.
func (s State) Finite() error {
	named := []struct {
		name   string
		values []float64
	}{{"x", s.X}, {"y", s.Y}, {"u", s.U}, {"lambda", s.Lambda}, {"previous x", s.Previous}, {"sum", s.Sum}}
	for _, vector := range named {
		for i, v := range vector.values {
			if !(math.Abs(v) <= runaway) {
				return fmt.Errorf("csspa: %s[%d] is %v after %d steps: smaller step sizes (a larger K) are needed", vector.name, i, v, s.Steps)
			}
		}
	}
	return nil
}

// runaway is the size above which a coordinate counts as infinite: squares and
// products of such numbers overflow.
const runaway = 1e100

// shape is the lengths of a method's vectors.
type shape struct{ n, m, d, multipliers, previous int }

// shaped returns a copy of s in which empty vectors are zeros, and an error when
// a vector has neither length 0 nor the length that it must have.
func (s State) shaped(want shape) (State, error) {
	s = s.Clone()
	vectors := []struct {
		name   string
		values *[]float64
		length int
	}{
		{"X", &s.X, want.n}, {"Y", &s.Y, want.m}, {"U", &s.U, want.d}, {"Lambda", &s.Lambda, want.multipliers},
		{"Previous", &s.Previous, want.previous}, {"Sum", &s.Sum, want.n},
	}
	for _, v := range vectors {
		if len(*v.values) == 0 {
			*v.values = make([]float64, v.length)
		}
		if len(*v.values) != v.length {
			return State{}, fmt.Errorf("csspa: State.%s has %d values, the problem needs %d", v.name, len(*v.values), v.length)
		}
	}
	if s.Steps < 0 || s.Refused < 0 || !(s.Weight >= 0) {
		return State{}, fmt.Errorf("csspa: State.Steps is %d, State.Refused %d and State.Weight %v: none may be negative", s.Steps, s.Refused, s.Weight)
	}
	for i, lambda := range s.Lambda {
		if lambda < 0 {
			return State{}, fmt.Errorf("csspa: State.Lambda[%d] is %v: multipliers are not negative", i, lambda)
		}
	}
	return s, s.Finite()
}
