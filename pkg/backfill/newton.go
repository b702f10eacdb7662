package backfill

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// slopeOf is the gradient of the whole objective of a candidate: of the loss, the priors and the term.
func (t *total) slopeOf(k int, c *candidate, precisions []float64, regularization float64) []float64 {
	s := &t.candidates[k]
	gradient := values(s.gradient)
	for j := range gradient {
		gradient[j] += float64(t.penalty(j, precisions, regularization) * c.weights[j])
	}
	if c.term != nil {
		for i, slope := range c.term.slopes {
			for j := range s.slopes[i] {
				gradient[j] += float64(slope * s.slopes[i][j].value())
			}
		}
	}
	return gradient
}

// penalty is the second derivative of what draws a weight to 0.
func (t *total) penalty(j int, precisions []float64, regularization float64) float64 {
	return float64(regularization*t.touched[j].value()) + precisions[j]
}

// turn takes over what the sums say about the outer function of a term.
func (t *total) turn(k int, c *candidate) {
	if c.term == nil || t.weight.value() == 0 {
		return
	}
	p := &c.term.pushed
	p.Relaxation.OuterGradient(c.term.slopes[:], p.Outer, t.means(k))
	for i := range c.term.slopes {
		c.term.slopes[i] = float64(c.term.slopes[i] * p.Factor)
	}
}

// guess takes the outer function for what it is where all margins are 0.
func (c *term) guess(sides [2]float64) {
	r := &c.pushed.Relaxation
	var inner, one [surrogate.MaxInner]float64
	for at, side := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		r.Inner(one[:], side, 0)
		for i := range inner {
			inner[i] += float64(sides[at] * one[i])
		}
	}
	r.OuterGradient(c.slopes[:], c.pushed.Outer, inner[:])
	for i := range c.slopes {
		c.slopes[i] = float64(c.slopes[i] * c.pushed.Factor)
	}
}

// information is the second derivative of the loss of the model without constraints in each weight.
func (t *total) information() []float64 {
	curvature := values(t.candidates[0].curvature)
	if !t.dense {
		return curvature
	}
	diagonal := make([]float64, len(t.touched))
	for j := range diagonal {
		diagonal[j] = curvature[packed(j, j)]
	}
	return diagonal
}

// means are the inner values.
func (t *total) means(k int) []float64 {
	inner := values(t.candidates[k].inner[:])
	for i := range inner {
		inner[i] /= t.weight.value()
	}
	return inner
}

// direction is Newton's step, or, without a full matrix, what the diagonal and the steps before make of it.
func (t *total) direction(k int, c *candidate, way *climb, gradient, precisions []float64, regularization float64) []float64 {
	curvature := values(t.candidates[k].curvature)
	if !t.dense {
		return way.bend(gradient, func(q []float64) {
			for j := range q {
				q[j] /= curvature[j] + t.penalty(j, precisions, regularization) + leastCurvature
			}
		})
	}
	step := make([]float64, len(gradient))
	outer := t.outer(k, c)
	for a := range step {
		step[a] = -gradient[a]
		curvature[packed(a, a)] += t.penalty(a, precisions, regularization) + leastCurvature
		if outer != nil {
			for b := range a + 1 {
				curvature[packed(a, b)] += float64(outer[a] * outer[b])
			}
		}
	}
	solve(curvature, step)
	return step
}

// leastCurvature keeps the matrix positive where no record has a weight that no prior draws to 0.
const leastCurvature = 1e-6

// outer is the root of the curvature that a squared outer function adds, nil if it adds none: 2 (∇s)(∇s)ᵀ for the square of s.
func (t *total) outer(k int, c *candidate) []float64 {
	if c.term == nil {
		return nil
	}
	r := &c.term.pushed.Relaxation
	if !r.Settings().Name.Facts().Squared {
		return nil
	}
	weight, inner, half := t.weight.value(), t.means(k), r.InnerSize()/2
	root := make([]float64, len(c.weights))
	for _, base := range [2]int{0, half} {
		_, slope := surrogate.RatioGradient(r.Settings().Epsilon, inner[base], inner[base+1])
		for j, sum := range t.candidates[k].slopes[base+1] {
			root[j] += float64(slope * sum.value())
		}
	}
	scale := math.Sqrt(2 * c.term.pushed.Factor / weight)
	for j := range root {
		root[j] = float64(root[j] * scale)
	}
	return root
}

// solve replaces x by the solution of A s = x, of which the packed lower triangle is given and lost (Cholesky). Products are rounded
// before they are added, so that processors with fused multiply-add agree: a library's kernels differ.
func solve(a, x []float64) {
	n := len(x)
	for i := range n {
		row := a[i*(i+1)/2 : i*(i+1)/2+i+1]
		for j := range i + 1 {
			other := a[j*(j+1)/2 : j*(j+1)/2+j+1]
			sum := row[j]
			for k := range j {
				sum -= float64(row[k] * other[k])
			}
			if j < i {
				row[j] = sum / other[j]
			} else {
				row[i] = math.Sqrt(max(sum, leastCurvature))
			}
		}
	}
	for i := range n {
		row := a[i*(i+1)/2:]
		for k := range i {
			x[i] -= float64(row[k] * x[k])
		}
		x[i] /= row[i]
	}
	for i := n - 1; i >= 0; i-- {
		x[i] /= a[packed(i, i)]
		for k := range i {
			x[k] -= float64(a[packed(i, k)] * x[i])
		}
	}
}
