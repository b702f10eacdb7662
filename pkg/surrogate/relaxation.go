package surrogate

import (
	"cmp"
	"fmt"
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// DefaultSlope is the slope k of the sigmoid. At 1 most margins of a trained
// linear classifier lie where the sigmoid still has a gradient, and its
// derivative is that of the logistic loss.
const DefaultSlope = 1

// Settings describes one instance of a relaxation.
type Settings struct {
	// Name is required.
	Name Name
	// Threshold is cτ, at least 0. It moves the value of the outer functions
	// and not their gradients. New accepts thresholds that cannot be met: ask
	// CheckThreshold.
	Threshold float64
	// Epsilon is the smoothing frequency of Ratio, 0 < epsilon ≤ 1; 0 means
	// DefaultEpsilon.
	Epsilon float64
	// Slope is the k of the sigmoid, k > 0; 0 means DefaultSlope. The other
	// relaxations ignore it.
	Slope float64
	// Reversed exchanges the two sides, so that the first constraint bounds
	// −RD instead of RD.
	Reversed bool
	// Monotone replaces the square of approximation-2 where A+B−1 falls below
	// tangentBelow by its tangent there, which makes the relaxation convex and
	// keeps it pushing in one direction: the plain square turns, and then
	// raises the very difference it should lower. With exact expectations it
	// turns only where RD < 0, because A+B−1 ≥ RD; with a lagging u anywhere.
	// The other relaxations ignore it; approximation-3 turns at A+B = 1 too,
	// but there it has its minimum, being convex already.
	Monotone bool
}

// tangentBelow is where the monotone form of approximation-2 leaves the square:
// small against the value 1 of w = 0, and far enough from 0 that its gradient
// keeps a twentieth of the strength it has there.
const tangentBelow = 0.05

// Relaxation is one relaxation of one comparison in one direction. It is a
// plain value, immutable after New, and safe to share between goroutines; the
// tracked vector u and the multipliers belong to the caller.
//
// The methods work on vectors of length InnerSize() or OuterSize() and panic when a
// vector is shorter. Margins must be finite; nothing here allocates.
type Relaxation struct {
	settings Settings
	kind     kind
	half     int // length of each half of u
	outer    int
	level    float64       // what is subtracted from V: cτ or (cτ)²
	first    fairness.Side // the side in the first half of u
	second   fairness.Side
}

// kind is the name as a small number, for the switch in the hot loop.
type kind uint8

const (
	approximation1 kind = iota
	approximation2
	approximation3
	meanMargin
	sigmoidGap
)

// New returns the relaxation that the settings describe.
func New(s Settings) (Relaxation, error) {
	if _, err := Parse(string(s.Name)); err != nil {
		return Relaxation{}, err
	}
	s.Epsilon = cmp.Or(s.Epsilon, DefaultEpsilon)
	if s.Slope == 0 {
		s.Slope = DefaultSlope
	}
	if !(s.Threshold >= 0) || math.IsInf(s.Threshold, 1) {
		return Relaxation{}, fmt.Errorf("threshold of %s is %v: use a finite number of at least 0", s.Name, s.Threshold)
	}
	if !(s.Epsilon > 0 && s.Epsilon <= 1) {
		return Relaxation{}, fmt.Errorf("epsilon of %s is %v: use a frequency above 0 and up to 1", s.Name, s.Epsilon)
	}
	if !(s.Slope > 0) || math.IsInf(s.Slope, 1) {
		return Relaxation{}, fmt.Errorf("slope of %s is %v: use a finite number above 0", s.Name, s.Slope)
	}
	facts := s.Name.Facts()
	r := Relaxation{settings: s, half: facts.Inner / 2, outer: facts.Outer, level: s.Threshold, first: fairness.Group, second: fairness.Versus}
	if facts.Squared {
		r.level = s.Threshold * s.Threshold
	}
	if s.Reversed {
		r.first, r.second = fairness.Versus, fairness.Group
	}
	switch s.Name {
	case Approximation1:
		r.kind = approximation1
	case Approximation2:
		r.kind = approximation2
	case Approximation3:
		r.kind = approximation3
	case MeanMargin:
		r.kind = meanMargin
	case Sigmoid:
		r.kind = sigmoidGap
	}
	return r, nil
}

// NewBoth returns the instances that bound the risk difference from both
// directions: one two-sided relaxation, or a one-sided one and its reverse.
// Their outer constraints, taken in order, are always two: the first pushes RD
// down, the second pushes it up. Settings.Reversed exchanges them.
func NewBoth(s Settings) ([]Relaxation, error) {
	forward, err := New(s)
	if err != nil {
		return nil, err
	}
	if !s.Name.Facts().OneSided {
		return []Relaxation{forward}, nil
	}
	s.Reversed = !s.Reversed
	backward, err := New(s)
	if err != nil {
		return nil, err
	}
	return []Relaxation{forward, backward}, nil
}

// Settings returns the settings with every default filled in.
func (r *Relaxation) Settings() Settings { return r.settings }

// InnerSize is the length of u.
func (r *Relaxation) InnerSize() int { return 2 * r.half }

// OuterSize is the number of outer constraints.
func (r *Relaxation) OuterSize() int { return r.outer }

// FrequencyIndex returns where u holds the frequencies of the group and of
// versus, for a caller who tracks them exactly instead of through Track.
func (r *Relaxation) FrequencyIndex() (group, versus int) {
	if r.settings.Reversed {
		return r.half, 0
	}
	return 0, r.half
}
