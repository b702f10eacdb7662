package surrogate

import (
	"fmt"
	"math"
	"strings"
)

// Name is a relaxation as written in a configuration.
type Name string

// The relaxations. See the package comment for their formulas.
const (
	Approximation1 Name = "approximation-1"
	Approximation2 Name = "approximation-2"
	Approximation3 Name = "approximation-3"
	MeanMargin     Name = "mean-margin"
	Sigmoid        Name = "sigmoid"
)

// Sizes that hold for every relaxation, for callers who keep u and the
// multipliers in arrays.
const (
	MaxInner = 6 // largest number of tracked inner values
	MaxOuter = 2 // largest number of outer constraints
)

// Names lists every relaxation in the order of the package comment.
func Names() []Name {
	return []Name{Approximation1, Approximation2, Approximation3, MeanMargin, Sigmoid}
}

// Parse returns the relaxation that text names.
func Parse(text string) (Name, error) {
	for _, name := range Names() {
		if text == string(name) {
			return name, nil
		}
	}
	var known []string
	for _, name := range Names() {
		known = append(known, string(name))
	}
	return "", fmt.Errorf("unknown relaxation %q: use one of %s", text, strings.Join(known, ", "))
}

// Facts is what holds for a relaxation whatever the data.
type Facts struct {
	// Inner is the number of tracked inner values, the length of u.
	Inner int
	// Outer is the number of outer constraints, the length of the multipliers.
	Outer int
	// OneSided says that the relaxation pushes the risk difference only down:
	// a second, reversed instance is needed to push it up.
	OneSided bool
	// Convex says that every V_j is a convex function of the weights of a
	// linear classifier.
	Convex bool
	// Squared says that V bounds a square, so that l = V − (cτ)².
	Squared bool
	// AtZero holds V_j of the classifier w = 0.
	AtZero []float64
	// LeastThreshold is the infimum of the thresholds cτ that any distribution
	// of margins can meet.
	LeastThreshold float64
	// LeastFairThreshold is the infimum of the thresholds cτ that can be met
	// without E[z|versus] > E[z|group]; a smaller one is met, if at all, only
	// by reversing the bias, and never in both directions at once.
	LeastFairThreshold float64
}

// Facts returns the facts of a relaxation. An unknown name panics.
func (n Name) Facts() Facts {
	switch n {
	case Approximation1:
		return Facts{Inner: 6, Outer: 2, Convex: true, AtZero: []float64{1, 1}, LeastThreshold: 1, LeastFairThreshold: 1}
	case Approximation2:
		return Facts{Inner: 4, Outer: 1, OneSided: true, Squared: true, AtZero: []float64{1}, LeastThreshold: 0, LeastFairThreshold: 1}
	case Approximation3:
		return Facts{Inner: 6, Outer: 1, OneSided: true, Squared: true, Convex: true, AtZero: []float64{5}, LeastThreshold: 2, LeastFairThreshold: math.Sqrt(5)}
	case MeanMargin:
		return Facts{Inner: 4, Outer: 2, Convex: true, AtZero: []float64{0, 0}}
	case Sigmoid:
		return Facts{Inner: 4, Outer: 2, AtZero: []float64{0, 0}}
	}
	panic("surrogate: unknown relaxation")
}
