package csspa

import (
	"fmt"
)

// What of a function was not finite.
const (
	output     = "output"
	derivative = "the derivative in input"
)

// Refused returns how many samples were refused, and why the first was.
func (c *composition[S]) Refused() (count int, first error) { return c.state.Refused, c.first }

// refuse counts a sample whose values are not finite, names the function, and returns false.
func (c *composition[S]) refuse(function, what string, values []float64) bool {
	c.state.Refused++
	if c.first == nil {
		c.first = notFinite(function, what, values, fmt.Sprintf("at step %d", c.state.Steps+1),
			"the sample or the function is at fault, or the step sizes are too large")
	}
	return false
}

// refuseGradient refuses a sample at which the gradient of G or of H is not finite.
func (c *composition[S]) refuseGradient(s S) bool {
	slope, own := make([]float64, len(c.y)), make([]float64, len(c.gradient))
	c.problem.F.AddGradient(slope, c.y, c.one[:], s)
	c.problem.G.AddGradient(own, c.state.X, slope, s)
	if !finite(own) {
		return c.refuse("G", derivative, own)
	}
	return c.refuse("H", derivative, c.gradient)
}

// valueError names a value of a function that is not finite, and where that was.
type valueError struct {
	function, what string
	index          int
	value          float64
	where, hint    string
}

func (e *valueError) Error() string {
	return fmt.Sprintf("csspa: Problem.%s: %s %d is %v %s: %s", e.function, e.what, e.index, e.value, e.where, e.hint)
}

// notFinite names the first of values that is not finite.
func notFinite(function, what string, values []float64, where, hint string) error {
	for i, v := range values {
		if v-v != 0 {
			return &valueError{function, what, i, v, where, hint}
		}
	}
	return nil
}

// refuseLate counts a sample that comes after the horizon.
func (c *composition[S]) refuseLate() {
	c.state.Refused++
	if c.first == nil {
		c.first = fmt.Errorf("csspa: the step sizes are for %d steps: PowerLaw.Horizon must be the number of samples, or 0", c.pace.Law.Horizon)
	}
}

// finite says whether every value is a finite number.
func finite(values []float64) bool {
	for _, v := range values {
		if v-v != 0 { // Inf - Inf and NaN - NaN are NaN
			return false
		}
	}
	return true
}
