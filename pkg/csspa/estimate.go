package csspa

import (
	"fmt"
	"math"
	"slices"
)

// EstimateConstants measures the constants of the assumptions on samples at the
// given points of X (random ones, say). They are the largest values seen, so lower
// bounds of the true constants, except that gradients of vectors are taken in the
// Frobenius norm, which is at least the paper's. Dx is the largest squared distance
// of two of the points, Sigma0 the largest margin of a point (0 if none has one).
func EstimateConstants[S any](p Problem[S], samples []S, points [][]float64) (Constants, error) {
	if err := p.Check(); err != nil {
		return Constants{}, err
	}
	if len(samples) == 0 || len(points) < 2 {
		return Constants{}, fmt.Errorf("csspa: EstimateConstants has %d samples and %d points: it needs at least 1 and 2", len(samples), len(points))
	}
	objective := newChain(p.G, p.F, samples, points)
	c := Constants{J: p.Constraints()}
	c.Cg, c.Vg, c.Cf, c.Lf = objective.gradient, objective.variance, objective.outerGradient, objective.lipschitz
	if p.H != nil {
		constraint := newChain(p.H, p.L, samples, points)
		c.Ch, c.Vh, c.Cl, c.Ll = constraint.gradient, constraint.variance, constraint.outerGradient, constraint.lipschitz
		c.Bl = constraint.square
	}
	for i, x := range points {
		for _, z := range points[:i] {
			c.Dx = max(c.Dx, squaredDistance(x, z))
		}
		c.Sigma0 = max(c.Sigma0, margin(NewFinite(p, samples), x))
	}
	return c, nil
}

// margin returns -max_j L_j(x).
func margin[S any](data *Finite[S], x []float64) float64 {
	levels := make([]float64, data.problem.Constraints())
	if len(levels) == 0 {
		return 0
	}
	data.Constraints(levels, x)
	return -slices.Max(levels)
}

// chain holds the largest values seen of one composition, inner and outer.
type chain struct {
	gradient, variance       float64 // E ‖∇c‖², E ‖c - E c‖²
	outerGradient, lipschitz float64 // max_j E ‖∇l_j‖², max ‖∇l_j(u) - ∇l_j(u')‖ / ‖u - u'‖
	square                   float64 // max_j E l_j²
}

func newChain[S any](inner, outer Function[S], samples []S, points [][]float64) chain {
	var c chain
	d, j := inner.Outputs(), outer.Outputs()
	means := make([][]float64, len(points))
	value, levels := make([]float64, d), make([]float64, j)
	for i, x := range points {
		mean, square := make([]float64, d), 0.0
		gradient := 0.0
		for _, s := range samples {
			inner.Evaluate(value, x, s)
			for k, v := range value {
				mean[k] += v / float64(len(samples))
			}
			square += dotProduct(value, value) / float64(len(samples))
			for k := range d {
				gradient += squaredNorm(component(inner, k, x, s)) / float64(len(samples))
			}
		}
		means[i] = mean
		c.gradient = max(c.gradient, gradient)
		c.variance = max(c.variance, square-dotProduct(mean, mean))

		outerGradients, squares := make([]float64, j), make([]float64, j)
		for _, s := range samples {
			outer.Evaluate(levels, mean, s)
			for k := range j {
				outerGradients[k] += squaredNorm(component(outer, k, mean, s)) / float64(len(samples))
				squares[k] += levels[k] * levels[k] / float64(len(samples))
			}
		}
		for k := range j {
			c.outerGradient = max(c.outerGradient, outerGradients[k])
			c.square = max(c.square, squares[k])
		}
	}
	for i, u := range means {
		for _, v := range means[:i] {
			distance := math.Sqrt(squaredDistance(u, v))
			if distance == 0 {
				continue
			}
			for _, s := range samples {
				for k := range j {
					change := math.Sqrt(squaredDistance(component(outer, k, u, s), component(outer, k, v, s)))
					c.lipschitz = max(c.lipschitz, change/distance)
				}
			}
		}
	}
	return c
}

// component returns the gradient of output k of c.
func component[S any](c Function[S], k int, x []float64, s S) []float64 {
	weights, gradient := make([]float64, c.Outputs()), make([]float64, len(x))
	weights[k] = 1
	c.AddGradient(gradient, x, weights, s)
	return gradient
}

func dotProduct(x, z []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * z[i])
	}
	return sum
}

func squaredNorm(x []float64) float64 { return dotProduct(x, x) }

func squaredDistance(x, z []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64((v - z[i]) * (v - z[i]))
	}
	return sum
}
