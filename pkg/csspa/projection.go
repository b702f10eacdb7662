package csspa

import (
	"fmt"
	"math"
)

// Projection is a closed convex set X that is easy to project on.
type Projection interface {
	// Project replaces x by the nearest point of X in Euclidean distance.
	Project(x []float64)
	// Check reports why the set cannot be used in n dimensions.
	Check(n int) error
}

var (
	_ Projection = Ball{}
	_ Projection = Box{}
	_ Projection = Product{}
	_ Projection = Simplex{}
)

// Ball is {x : ‖x - Center‖ <= Radius}; a nil Center is the origin.
type Ball struct {
	Radius float64
	Center []float64
}

// Check wants a positive, finite radius and a centre of length n.
func (b Ball) Check(n int) error {
	if !(b.Radius > 0) || math.IsInf(b.Radius, 1) {
		return fmt.Errorf("csspa: Ball.Radius is %v: it must be positive and finite", b.Radius)
	}
	if b.Center != nil && len(b.Center) != n {
		return fmt.Errorf("csspa: Ball.Center has %d coordinates, the problem %d", len(b.Center), n)
	}
	return nil
}

// Project shrinks x - Center to the radius when it is longer.
func (b Ball) Project(x []float64) {
	square := 0.0
	for i, v := range x {
		v -= b.center(i)
		square += float64(v * v)
	}
	if square <= b.Radius*b.Radius {
		return
	}
	scale := b.Radius / math.Sqrt(square)
	for i, v := range x {
		c := b.center(i)
		x[i] = c + float64(scale*(v-c))
	}
}

func (b Ball) center(i int) float64 {
	if b.Center == nil {
		return 0
	}
	return b.Center[i]
}

// Box is {x : Lower_i <= x_i <= Upper_i}. Bounds may be infinite: Lower 0 and Upper
// +Inf is the orthant. A slice of length 1 bounds every coordinate alike.
type Box struct {
	Lower, Upper []float64
}

// Check wants bounds for 1 or n coordinates, none NaN, lower at most upper.
func (b Box) Check(n int) error {
	for _, bound := range [][]float64{b.Lower, b.Upper} {
		if len(bound) != 1 && len(bound) != n {
			return fmt.Errorf("csspa: a bound of Box has %d coordinates: it must have 1 or %d", len(bound), n)
		}
	}
	for i := range n {
		if lower, upper := at(b.Lower, i), at(b.Upper, i); !(lower <= upper) {
			return fmt.Errorf("csspa: Box bounds of coordinate %d are [%v, %v]: lower must be at most upper", i, lower, upper)
		}
	}
	return nil
}

// Project clips each coordinate.
func (b Box) Project(x []float64) {
	for i, v := range x {
		x[i] = min(max(v, at(b.Lower, i)), at(b.Upper, i))
	}
}

func at(bound []float64, i int) float64 {
	if len(bound) == 1 {
		return bound[0]
	}
	return bound[i]
}

// Simplex is {x : x_i >= 0, Σ x_i = Total}: the shares of a portfolio.
type Simplex struct{ Total float64 }

// Check wants a positive, finite total.
func (s Simplex) Check(int) error {
	if !(s.Total > 0) || math.IsInf(s.Total, 1) {
		return fmt.Errorf("csspa: Simplex.Total is %v: it must be positive and finite", s.Total)
	}
	return nil
}

// Project subtracts the one shift c for which Σ max(x_i - c, 0) = Total. The
// shift is found by Michelot's iteration: average over the coordinates that are
// still positive, drop those that became negative, repeat (at most n times, a
// handful in practice). C. Michelot, "A finite algorithm for finding the
// projection of a point onto the canonical simplex of R^n", JOTA 50 (1986).
func (s Simplex) Project(x []float64) {
	shift, active := math.Inf(-1), len(x)+1
	for {
		sum, count := 0.0, 0
		for _, v := range x {
			if v > shift {
				sum += v
				count++
			}
		}
		if count >= active || count == 0 {
			break
		}
		active = count
		shift = (sum - s.Total) / float64(count)
	}
	for i, v := range x {
		x[i] = max(v-shift, 0)
	}
}

// Product is a set of vectors whose parts, taken in order, each lie in a set of
// their own: the shares of a portfolio in a Simplex, and a threshold in a Box.
type Product []Factor

// Factor is N coordinates of a Product and the set that they lie in; nil for R^N.
type Factor struct {
	N   int
	Set Projection
}

// Check wants the lengths of the parts to add up to n, and each set to fit its part.
func (p Product) Check(n int) error {
	sum := 0
	for i, f := range p {
		if f.N < 1 {
			return fmt.Errorf("csspa: factor %d of Product has %d coordinates: it must have at least 1", i, f.N)
		}
		sum += f.N
		if f.Set == nil {
			continue
		}
		if err := f.Set.Check(f.N); err != nil {
			return fmt.Errorf("factor %d of Product: %w", i, err)
		}
	}
	if sum != n {
		return fmt.Errorf("csspa: the factors of Product have %d coordinates, the problem %d", sum, n)
	}
	return nil
}

// Project projects each part on its own set.
func (p Product) Project(x []float64) {
	for _, f := range p {
		if f.Set != nil {
			f.Set.Project(x[:f.N:f.N])
		}
		x = x[f.N:]
	}
}
