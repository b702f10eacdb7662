package csspa

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// InfeasibleError says that no x in X meets the constraints over the samples. It is
// proved by duality, and so for constraints that are convex in x: for any weights w
// >= 0 that sum to 1, max_j L_j >= Σ_j w_j L_j, and the least of that sum over X is
// bounded from below as the gap is.
type InfeasibleError struct {
	Constraints []int     // numbers j, from 1, of those that cannot hold together: of a weight above 0.01; one if it cannot hold alone
	Bound       float64   // max_j L_j is at least Bound > 0 everywhere in X
	Least       float64   // the least max_j L_j that was found
	X           []float64 // where it was found
}

func (e *InfeasibleError) Error() string {
	var names []string
	for _, j := range e.Constraints {
		names = append(names, fmt.Sprintf("L_%d", j))
	}
	if last := len(names) - 1; last > 0 {
		return fmt.Sprintf("csspa: Solve: %s and %s cannot be met together: the largest of these levels is at least %.4g everywhere in X over these samples if they are convex, and the least that was found is %.4g: loosen a bound, or widen X",
			strings.Join(names[:last], ", "), names[last], e.Bound, e.Least)
	}
	return fmt.Sprintf("csspa: Solve: %s cannot be met: its level is at least %.4g everywhere in X over these samples if it is convex, and the least that was found is %.4g: loosen its bound, or widen X", names[0], e.Bound, e.Least)
}

const (
	levelSteps = 100  // of a search for the least level
	levelMoves = 6    // searches, each with a quarter of the smoothing of the one before
	levelDoubt = 1e-9 // a bound below it may be rounding
)

// leastLevel looks for the point of X with the least max_j L_j, from x. It returns
// that level, and an error if it can prove that no point has a level of 0 or less.
//
// The maximum is smoothed to s log Σ_j exp(L_j/s). Where that is least, its gradient
// is one of Σ_j w_j L_j for the weights w_j = exp(L_j/s)/Σ, which are those of the proof.
func leastLevel[S any](p Problem[S], samples []S, x []float64) (float64, *InfeasibleError) {
	data := NewFinite(p, samples)
	levels, weights := make([]float64, p.Constraints()), make([]float64, p.Constraints())
	data.Constraints(levels, x)
	smoothing := levelDoubt
	for _, l := range levels {
		smoothing = max(smoothing, math.Abs(l))
	}
	smooth := func(x []float64) float64 { // and what it leaves: levels and weights of x
		data.Constraints(levels, x)
		largest, sum := slices.Max(levels), 0.0
		for j, l := range levels {
			weights[j] = math.Exp((l - largest) / smoothing)
			sum += weights[j]
		}
		for j := range weights {
			weights[j] /= sum
		}
		return largest + smoothing*math.Log(sum)
	}
	found := InfeasibleError{Least: math.Inf(1), Bound: math.Inf(-1)}
	z := x
	for range levelMoves {
		z = descend(p, z, levelSteps, smooth,
			func(gradient, x []float64) { // with the weights of x, where smooth was called last
				clear(gradient)
				data.AddConstraintGradient(gradient, x, weights)
			},
			func(z, gradient []float64, _ float64) {
				if worst := slices.Max(levels); worst < found.Least {
					found.Least, found.X = worst, slices.Clone(z)
				}
				if bound := dotProduct(weights, levels) - furthest(p, z, gradient); bound > found.Bound {
					found.Bound, found.Constraints = bound, nil
					for j, w := range weights {
						if w > 0.01 {
							found.Constraints = append(found.Constraints, j+1)
						}
					}
				}
			})
		smoothing /= 4
	}
	if found.Bound > levelDoubt {
		return found.Least, &found
	}
	return found.Least, nil
}
