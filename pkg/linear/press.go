package linear

import "github.com/fairstream/fairstream/pkg/features"

// Steps from constraints alone.
//
// A record without a label says nothing of the loss, and neither does a record that is remembered, which has been learnt before. But a
// constraint can push its model with either. The model without constraints does not move then, nothing is drawn to its prior, and
// averages do not age: all this belongs to the records of the loss.

// Press takes a step of the constrained models from a row. push is what its constraint adds to the gradient of each model, that of the
// first one 0, weight what Relative returned. It returns the gradients of the step in the margins, which are valid until the next one.
func (m *Models) Press(row *features.Row, push []float64, weight float64) []float64 {
	square := 0.0
	for k := range m.gradients {
		g := float64(weight * push[k])
		m.gradients[k] = g
		square += float64(g * g)
	}
	m.press(row, square)
	return m.gradients
}

// Nudge is Press of one model from a gradient in its margin of a row.
func (m *Models) Nudge(row *features.Row, model int, gradient float64) {
	clear(m.gradients)
	m.gradients[model] = gradient
	m.press(row, gradient*gradient)
}

// press takes the steps along gradients with that sum of squares.
func (m *Models) press(row *features.Row, square float64) {
	unit := m.loss.Unit()
	if square == 0 || !(unit > 0) {
		return
	}
	m.penalties = m.penalties[:0]
	m.sizes(row, square/float64(len(m.gradients)))
	for i := range m.steps {
		m.steps[i].Shrink = 0
	}
	m.moveSums(row, unit)
	m.move(row, unit)
}
