package csspa

import (
	"fmt"
	"math"
)

// Verify compares every derivative of p with central finite differences at x and
// sample s, and reports the first that disagrees by more than tolerance (relative
// to the larger of 1 and the derivative; 1e-6 suits smooth functions of order 1).
// The outer functions are checked at the inner functions' values. Call it on a
// few random points of a new problem before solving it; avoid exact kinks.
func (p Problem[S]) Verify(x []float64, s S, tolerance float64) error {
	if err := p.Check(); err != nil {
		return err
	}
	if len(x) != p.N {
		return fmt.Errorf("csspa: the point has %d coordinates, the problem %d", len(x), p.N)
	}
	chains := []struct {
		name         string
		inner, outer Function[S]
	}{{"GF", p.G, p.F}, {"HL", p.H, p.L}}
	for _, chain := range chains {
		if chain.inner == nil {
			continue
		}
		value := make([]float64, chain.inner.Outputs())
		chain.inner.Evaluate(value, x, s)
		if err := verify(chain.inner, chain.name[:1], x, s, tolerance); err != nil {
			return err
		}
		if err := verify(chain.outer, chain.name[1:], value, s, tolerance); err != nil {
			return err
		}
	}
	return nil
}

// verify checks ∂c_j/∂x_i for every j and i, that AddGradient adds to dst, and
// that it is linear in the weights.
func verify[S any](c Function[S], name string, x []float64, s S, tolerance float64) error {
	point := append([]float64(nil), x...)
	outputs := c.Outputs()
	weights := make([]float64, outputs)
	up, down := make([]float64, outputs), make([]float64, outputs)
	rows := make([][]float64, outputs)
	const already = 3.0
	for j := range rows {
		rows[j] = make([]float64, len(x))
		for i := range rows[j] {
			rows[j][i] = already
		}
		weights[j] = 1
		c.AddGradient(rows[j], x, weights, s)
		weights[j] = 0
	}
	for j := range weights {
		weights[j] = 1 / float64(j+1)
	}
	combined := make([]float64, len(x))
	c.AddGradient(combined, x, weights, s)
	for i := range x {
		sum := 0.0
		step := 1e-5 * max(1, math.Abs(x[i]))
		point[i] = x[i] + step
		c.Evaluate(up, point, s)
		point[i] = x[i] - step
		c.Evaluate(down, point, s)
		point[i] = x[i]
		for j := range rows {
			want := (up[j] - down[j]) / (2 * step)
			got := rows[j][i] - already
			sum += weights[j] * got
			if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
				return fmt.Errorf("csspa: Problem.%s: derivative of output %d in input %d is %v by AddGradient, %v by finite difference (AddGradient must add to dst)", name, j, i, got, want)
			}
		}
		if !(math.Abs(combined[i]-sum) <= tolerance*max(1, math.Abs(sum))) {
			return fmt.Errorf("csspa: Problem.%s: AddGradient in input %d is %v for weights 1, 1/2, 1/3, ..., but %v by adding the outputs one by one", name, i, combined[i], sum)
		}
	}
	return nil
}
