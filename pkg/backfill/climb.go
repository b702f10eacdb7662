package backfill

import "math"

const (
	// tooFar is by how much of its first slope the objective may rise at the end of a step.
	tooFar = .5
	// A step that went too far is shortened to where the slopes before and after say that the least value is, within these shares of it.
	leastShortening = .1
	mostShortening  = .6
	// mostTries bounds how often one step is shortened.
	mostTries = 8
	// remembered is how many steps are remembered where there is no full matrix.
	remembered = 10
)

// climb is one model on the way to its optimum. Whether a step was too long is seen in the slope along it, which the exact sums
// give without rounding, and not in the loss.
type climb struct {
	// Weights are where the next sums are wanted.
	Weights []float64 `json:"weights"`
	// Base is where Step times Direction began, with the slope Slope along the direction; nil before the first sums.
	Base      []float64 `json:"base,omitempty"`
	Gradient  []float64 `json:"gradient,omitempty"`
	Direction []float64 `json:"direction,omitempty"`
	Step      float64   `json:"step,omitempty"`
	Slope     float64   `json:"slope,omitempty"`
	Tries     int       `json:"tries,omitempty"`
	// Left is by how much Newton's model says that the mean objective of a record can still fall; nil before it is known.
	Left *float64 `json:"left,omitempty"`
	// Steps and Turns are the last steps and what they changed of the gradient, without a full matrix.
	Steps [][]float64 `json:"steps,omitempty"`
	Turns [][]float64 `json:"turns,omitempty"`
}

// begin forgets everything but where the model is.
func (c *climb) begin(weights []float64) { *c = climb{Weights: append([]float64(nil), weights...)} }

// shorten says whether the gradient at Weights shows that the step was too long, and shortens it.
func (c *climb) shorten(gradient []float64) bool {
	if c.Base == nil || c.Tries >= mostTries {
		return false
	}
	slope := dot(gradient, c.Direction)
	if slope <= tooFar*math.Abs(c.Slope) {
		return false
	}
	c.Tries++
	c.Step *= max(leastShortening, min(mostShortening, c.Slope/(c.Slope-slope)))
	c.walk()
	return true
}

// walk puts Weights at the end of the step.
func (c *climb) walk() {
	for j := range c.Weights {
		c.Weights[j] = c.Base[j] + float64(c.Step*c.Direction[j])
	}
}

// learn remembers the step that ended at Weights.
func (c *climb) learn(gradient []float64) {
	if c.Base == nil {
		return
	}
	step, turn := make([]float64, len(gradient)), make([]float64, len(gradient))
	for j := range step {
		step[j], turn[j] = c.Weights[j]-c.Base[j], gradient[j]-c.Gradient[j]
	}
	if dot(step, turn) <= 0 {
		return
	}
	if c.Steps, c.Turns = append(c.Steps, step), append(c.Turns, turn); len(c.Steps) > remembered {
		c.Steps, c.Turns = c.Steps[1:], c.Turns[1:]
	}
}

// set takes the next step from Weights, where the gradient is given.
func (c *climb) set(gradient, direction []float64, weight float64) {
	c.Base = append(c.Base[:0], c.Weights...)
	c.Gradient, c.Direction, c.Step, c.Tries = gradient, direction, 1, 0
	c.Slope = dot(gradient, direction)
	left := -c.Slope / 2 / weight
	c.Left = &left
	c.walk()
}

// near says whether no more than so much is left.
func (c *climb) near(left float64) bool { return c.Left != nil && *c.Left <= left }

// bend improves on a step along the diagonal by the steps before (limited-memory BFGS; Nocedal, Mathematics of Computation 35, 1980).
// precondition multiplies by the inverse diagonal.
func (c *climb) bend(gradient []float64, precondition func([]float64)) []float64 {
	q := append([]float64(nil), gradient...)
	shares := make([]float64, len(c.Steps))
	for i := len(c.Steps) - 1; i >= 0; i-- {
		shares[i] = dot(c.Steps[i], q) / dot(c.Steps[i], c.Turns[i])
		for j := range q {
			q[j] -= float64(shares[i] * c.Turns[i][j])
		}
	}
	precondition(q)
	for i := range c.Steps {
		back := dot(c.Turns[i], q) / dot(c.Steps[i], c.Turns[i])
		for j := range q {
			q[j] += float64((shares[i] - back) * c.Steps[i][j])
		}
	}
	for j := range q {
		q[j] = -q[j]
	}
	return q
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}
