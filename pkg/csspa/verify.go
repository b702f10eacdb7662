package csspa

import (
	"fmt"
	"math"
	"slices"
)

// Verify checks the shapes of all functions (Check, and by calling each of them
// once), and then compares every derivative of p with central finite differences at x and
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
	if err := p.probe(x, s, true); err != nil {
		return err
	}
	for _, c := range p.chains() {
		value := make([]float64, c.inner.Outputs())
		c.inner.Evaluate(value, x, s)
		if err := verify(c.inner, c.names[:1], x, s, tolerance); err != nil {
			return err
		}
		if err := verify(c.outer, c.names[1:], value, s, tolerance); err != nil {
			return err
		}
	}
	return nil
}

// probe calls every function once at x and sample s, with slices of the lengths
// that Function promises. It reports the first function that panics there, leaves
// an output unset, is not finite, or does not look at one of its inputs although it
// does not state how many it takes: an outer function for another shape.
func (p Problem[S]) probe(x []float64, s S, shapes bool) error {
	for _, c := range p.chains() {
		value, err := probe(c.inner, c.names[:1], x, s)
		if err != nil {
			return err
		}
		if _, err := probe(c.outer, c.names[1:], value, s); err != nil {
			return err
		}
		if !shapes {
			continue
		}
		if i := overlooked(c.outer, value, s); i >= 0 {
			return fmt.Errorf("csspa: Problem.%s does not use output %d of Problem.%s: are they made for each other? (if so, let Problem.%s have a method Inputs)", c.names[1:], i, c.names[:1], c.names[1:])
		}
	}
	return nil
}

// probe returns the value of one function, from copies of x that it cannot look beyond.
func probe[S any](c Function[S], name string, x []float64, s S) (value []float64, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("csspa: Problem.%s panics with %d inputs and %d outputs: %v", name, len(x), c.Outputs(), reason)
		}
	}()
	point := slices.Clip(slices.Clone(x))
	value = slices.Clip(slices.Repeat([]float64{math.NaN()}, c.Outputs()))
	c.Evaluate(value, point, s)
	if !finite(value) {
		return nil, notFinite(name, output, value, "at this sample", "the sample is at fault, or Evaluate, which must set every output")
	}
	gradient := slices.Clip(make([]float64, len(x)))
	c.AddGradient(gradient, point, slices.Clip(slices.Repeat([]float64{1}, c.Outputs())), s)
	if !finite(gradient) {
		return nil, notFinite(name, derivative, gradient, "at this sample", "the sample or AddGradient is at fault")
	}
	return value, nil
}

// overlooked returns the first input that c does not look at, or -1: no value of
// it, not even NaN, changes an output. A function that states its inputs may do so.
func overlooked[S any](c Function[S], u []float64, s S) int {
	if _, stated := c.(sized); stated {
		return -1
	}
	before, after := make([]float64, c.Outputs()), make([]float64, c.Outputs())
	c.Evaluate(before, u, s)
	for i := range u {
		seen := false
		for _, other := range []float64{math.NaN(), u[i] + 1e3, u[i] - 1e3} {
			point := slices.Clone(u)
			point[i] = other
			c.Evaluate(after, point, s)
			seen = seen || !slices.Equal(before, after)
		}
		if !seen {
			return i
		}
	}
	return -1
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
