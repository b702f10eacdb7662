package problems

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/csspa"
)

// Record is a labelled record of the fair classifier.
type Record struct {
	X     []float64 // features, length n (put a constant 1 in for a bias)
	Label float64   // -1 or +1
	Group int       // +1 for s+, -1 for s-, 0 if the attribute is not known
}

// Approximation is a relaxation of the risk difference: one of the paper's three, or
// another reading of the second. They bound
// P(w·x > 0 | s+) - P(w·x > 0 | s-).
type Approximation int

// The relaxations, with A = E[max(0, 1+z) | s+], B = E[max(0, 1-z) | s-], A' =
// E[min(1, z) | s+], B' = E[min(1, -z) | s-] and z = w·x:
const (
	// Approximation1 is |..| <= c in two convex constraints: A + B - 1 - c and
	// 1 - A' - B' - c. Infeasible for c < 1.
	Approximation1 Approximation = 1
	// Approximation2 is (A + B - 1)² - c². Not convex; met for c < 1 only by
	// reversing the bias.
	Approximation2 Approximation = 2
	// Approximation3 is A² + B² + 1 - 2A' - 2B' + 2AB - c². Convex; infeasible for c < 2.
	Approximation3 Approximation = 3
	// DefinitionSquared is another reading of approximation 2: the definition of the
	// risk difference, with max(0, 1+z) for the indicator of z > 0 in both groups,
	// squared: (E[max(0, 1+z) | s+] - E[max(0, 1+z) | s-])² - c². It contradicts the
	// paper's displayed (appr2), is not convex, and can be met for every c > 0. As
	// max(0, 1+z) = 1 - min(1, -z), it is (A + B' - 1)² - c².
	DefinitionSquared Approximation = 4
)

// FairClassifier is logistic regression with a bound on a relaxed risk difference:
//
//	min_{‖w‖ <= Radius} E log(1 + exp(-y w·x)) + (Mu/2) ‖w‖²   s.t. the relaxation <= 0
//
// The paper introduces labels {0, 1}; its loss needs {-1, +1}. The conditional
// means are ratios of followed means such as E 1{s+} max(0, 1+z) / E 1{s+}; below
// Floor the ratio is continued linearly in the denominator, as the paper's Huber
// approximation does.
type FairClassifier struct {
	Features      int           // n, at least 1
	Approximation Approximation // 1 to 4
	Threshold     float64       // c: the paper's c_k τ, so c² where the relaxation is squared
	Mu            float64       // weight of the L2 term, >= 0
	Radius        float64       // of the ball X, > 0
	Floor         float64       // smallest share of a group that is divided by as it is, > 0
	Smoothing     float64       // half width ε of the smoothed kinks of the hinges; 0 keeps them
}

// Check reports the first field that is out of range.
func (c FairClassifier) Check() error {
	switch {
	case c.Features < 1:
		return fmt.Errorf("problems: FairClassifier.Features is %d: it must be at least 1", c.Features)
	case c.Approximation < Approximation1 || c.Approximation > DefinitionSquared:
		return fmt.Errorf("problems: FairClassifier.Approximation is %d: it must be 1, 2, 3, or 4 (DefinitionSquared)", c.Approximation)
	case !(c.Threshold >= 0):
		return fmt.Errorf("problems: FairClassifier.Threshold is %v: it must not be negative", c.Threshold)
	case !(c.Mu >= 0):
		return fmt.Errorf("problems: FairClassifier.Mu is %v: it must not be negative", c.Mu)
	case !(c.Radius > 0):
		return fmt.Errorf("problems: FairClassifier.Radius is %v: it must be positive", c.Radius)
	case !(c.Floor > 0 && c.Floor <= 1):
		return fmt.Errorf("problems: FairClassifier.Floor is %v: it must be in (0, 1]", c.Floor)
	case !(c.Smoothing >= 0):
		return fmt.Errorf("problems: FairClassifier.Smoothing is %v: it must not be negative", c.Smoothing)
	}
	return nil
}

// Problem states the classifier as problem (P).
func (c FairClassifier) Problem() (csspa.Problem[Record], error) {
	if err := c.Check(); err != nil {
		return csspa.Problem[Record]{}, err
	}
	return csspa.Problem[Record]{
		N:          c.Features,
		G:          loss{c.Mu},
		F:          csspa.Identity[Record](1),
		H:          groupMeans{c.Smoothing},
		L:          relaxation{c},
		X:          csspa.Ball{Radius: c.Radius},
		FixedOuter: true,
	}, nil
}

// loss is g(w) = log(1 + exp(-y w·x)) + (μ/2) ‖w‖².
type loss struct{ mu float64 }

func (loss) Outputs() int { return 1 }

func (l loss) Evaluate(dst, w []float64, r Record) {
	value, _ := logistic(r.Label * dot(w, r.X))
	dst[0] = value + l.mu/2*dot(w, w)
}

func (l loss) AddGradient(dst, w, weights []float64, r Record) {
	_, slope := logistic(r.Label * dot(w, r.X))
	addScaled(dst, weights[0]*slope*r.Label, r.X)
	addScaled(dst, weights[0]*l.mu, w)
}

// groupMeans is h, with means u = [p+, U+, L+, p-, U-, L-]:
//
//	p+ = E 1{s+}   U+ = E 1{s+} max(0, 1+z)   L+ = E 1{s+} min(1, z)
//	p- = E 1{s-}   U- = E 1{s-} max(0, 1-z)   L- = E 1{s-} min(1, -z)
//
// s- is s+ with z turned round, and min(1, z) = 1 - max(0, 1-z).
type groupMeans struct{ smoothing float64 }

func (groupMeans) Outputs() int { return 6 }

func (g groupMeans) Evaluate(dst, w []float64, r Record) {
	clear(dst)
	if r.Group == 0 {
		return
	}
	own := dst[side(r.Group) : side(r.Group)+3]
	z := float64(r.Group) * dot(w, r.X)
	upper, _ := hinge(1+z, g.smoothing)
	lower, _ := hinge(1-z, g.smoothing)
	own[0], own[1], own[2] = 1, upper, 1-lower
}

func (g groupMeans) AddGradient(dst, w, weights []float64, r Record) {
	if r.Group == 0 {
		return
	}
	own := weights[side(r.Group) : side(r.Group)+3]
	sign := float64(r.Group)
	z := sign * dot(w, r.X)
	_, upper := hinge(1+z, g.smoothing)
	_, lower := hinge(1-z, g.smoothing)
	addScaled(dst, sign*(own[1]*upper+own[2]*lower), r.X)
}

// side is where a group's means begin in u.
func side(group int) int {
	if group > 0 {
		return 0
	}
	return 3
}
