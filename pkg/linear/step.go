package linear

import (
	"math"

	"github.com/fairstream/fairstream/internal/adagrad"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
)

// Step takes one step of every model from a row whose margins are given. push is what its constraint adds to the
// gradient of each model, weight what Count returned. It returns the gradients of the step in the margins, which are
// valid until the next one.
func (m *Models) Step(row *features.Row, at *Margins, push []float64, label, weight float64) []float64 {
	m.loss.Observe(label, weight, &m.memory)
	if unit := m.loss.Unit(); unit > 0 {
		m.foretell(row, at, label, weight, unit)
		square := m.grade(at, push, label, weight)
		length, share := m.sizes(row, square)
		m.bounded += float64((share - m.bounded) * m.memory.errorFade())
		m.imply(push, weight, length)
		m.penalize(row, at, unit)
		m.moveSums(row, unit)
		m.move(row, unit)
	}
	m.decay *= 1 - 1/min(m.averaging, 1+m.memory.Records/earlyAveraging)
	if m.decay < rescaleBelow {
		m.rescale()
	}
	return m.gradients
}

// foretell takes in what the columns with few levels made of a record that has not been learnt (shared.go).
func (m *Models) foretell(row *features.Row, at *Margins, label, weight, unit float64) {
	precision, part := m.prior.shared.precision, 0.0
	if precision == 0 {
		return
	}
	for i, j := range row.Index {
		if numbers := m.values[int(j)*m.stride:][:modelsAt+2]; numbers[precisionAt] == precision {
			part += float64((numbers[modelsAt] - float64(m.decay*numbers[modelsAt+1])) * row.At(i))
		}
	}
	if part == 0 {
		return
	}
	gradient, curvature := m.loss.Gradient(at.Average[0], label), m.curvature
	if curvature == 0 { // p (1 − p), and the gradient is the probability of the other label
		curvature = math.Abs(gradient) * (1 - math.Abs(gradient))
	}
	m.prior.shared.add(part/unit, gradient, curvature, weight)
}

// grade computes the gradients of the loss, and returns the mean square of those of all that is learnt from.
func (m *Models) grade(at *Margins, push []float64, label, weight float64) float64 {
	square := 0.0
	for k, margin := range at.Iterate {
		slope := m.loss.Gradient(margin, label)
		m.gradients[k] = slope
		if k == 0 {
			m.squaredError += float64((float64(slope*slope) - m.squaredError) * m.memory.errorFade())
		}
		g := float64(weight * (slope + push[k]))
		square += float64(g * g)
	}
	return square / float64(len(at.Iterate))
}

// What one record may move its own margin, in units of the gradient: the sum of step x² over the row.
//
// The steps of AdaGrad do not know of each other: a row of a thousand non-zeros moves its own margin a thousand times as
// far as one of them would, and the iterates are then mostly noise. In one pass over independent weights the best step
// would be the variance that is left of each weight, 1/(information + precision), and a margin would move by their sum,
// the leverage of the row. AdaGrad's larger steps follow correlated columns better, as the average takes their noise away;
// but not where rows are so wide that the average is too short for that.
const (
	// movePerLeverage of its leverage is what a row may move its margin by, within leastMove and mostMove.
	movePerLeverage = 2.0
	leastMove       = 1.5
	mostMove        = 4.0
)

// sizes computes the step and the pull to 0 of each weight of the row. It returns Σ step x², and by what the steps were
// multiplied to bound it.
//
// A weight that its prior draws to 0 more strongly than a new one also takes smaller steps, by the share of its prior in
// what is known of it: a column that says nothing adds no noise. It is drawn to 0 by the share of its prior
// (prior.go), and by the L2 term. Both are taken implicitly, (1 + step mu) w' = w - step g x, and so are stable whatever the
// step: that of a weight whose x is tiny for long has no bound.
func (m *Models) sizes(row *features.Row, square float64) (length, share float64) {
	if cap(m.steps) < len(row.Index) {
		m.steps = make([]adagrad.Step, 0, 2*len(row.Index))
	}
	m.steps = m.steps[:len(row.Index)]
	steps, noise := m.steps, m.noise()
	rule := adagrad.Rule{Size: m.settings.Step, Square: square, Keep: 1 - 1/m.settings.Forgetting, Start: m.constants.StartPrecision, Noise: noise,
		Regularization: m.settings.Regularization}
	if m.settings.Without.Has(refine.PreconditionedSteps) {
		rule.Root = m.commonRoot()
	}
	length = rule.Take(steps, &adagrad.Weights{Values: m.values, Stride: m.stride}, adagrad.Row{Index: row.Index, Value: row.Value})
	if !(length > leastMove) || m.settings.Without.Has(refine.BoundedSteps) {
		return length, 1
	}
	bound := min(mostMove, max(leastMove, float64(movePerLeverage*m.leverage(row, noise))))
	if !(length > bound) {
		return length, 1
	}
	share = bound / length
	for i := range steps {
		steps[i].Size *= share
		steps[i].Shrink *= share
	}
	return bound, share
}

// commonRoot is what the steps of all weights are divided by without AdaGrad.
func (m *Models) commonRoot() float64 {
	return math.Sqrt(1 + min(m.memory.Records, m.settings.Forgetting))
}

// leverage is that of a row whose curvatures sizes has just found. Most rows move too little for it to matter.
func (m *Models) leverage(row *features.Row, noise float64) (leverage float64) {
	for i, j := range row.Index {
		x := row.At(i)
		precision := m.values[int(j)*m.stride+precisionAt]
		leverage += float64(noise*float64(x*x)) / (m.steps[i].Curvature + float64(float64(noise*noise)*precision))
	}
	return leverage
}

// imply makes gradients those of the whole objective. Where the curvature of the loss is constant the step is implicit
// in it (Toulis and Airoldi, Annals of Statistics 45, 2017): the residual r of a record after a step is r/(1 + length),
// so no step overshoots. A loss whose steps are explicit has the curvature 0.
func (m *Models) imply(push []float64, weight, length float64) {
	length = float64(length*weight) * m.curvature
	for k, slope := range m.gradients {
		// After the step the residual is slope − length (residual + push): solved for the residual.
		m.gradients[k] = weight * ((slope-float64(length*push[k]))/(1+length) + push[k])
	}
}

// moveSums takes the products with running sums along.
func (m *Models) moveSums(row *features.Row, unit float64) {
	perDecay := 1 / m.decay
	for sum := range m.sums {
		clear(m.moved)
		at := m.sumAt(sum)
		for i, j := range row.Index {
			x := row.At(i)
			numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
			for k, g := range m.gradients {
				m.moved[k] -= float64(numbers[at] * m.moves(i, k, g, x, unit, numbers[modelsAt+2*k]))
			}
		}
		s := &m.sums[sum]
		for k, moved := range m.moved {
			s.iterate[k] += float64(s.scale * moved)
			s.lag[k] += float64(float64(s.scale*moved) * perDecay)
		}
	}
}

// move takes the steps.
func (m *Models) move(row *features.Row, unit float64) {
	if m.count == 2 && unit == 1 && len(m.penalties) == 0 { // the common case
		two := adagrad.Two{Gradient: [2]float64{m.gradients[0], m.gradients[1]}, PerDecay: 1 / m.decay, At: modelsAt}
		two.Move(m.steps, &adagrad.Weights{Values: m.values, Stride: m.stride}, adagrad.Row{Index: row.Index, Value: row.Value})
		return
	}
	m.moveAll(row, unit)
}

func (m *Models) moveAll(row *features.Row, unit float64) {
	perDecay := 1 / m.decay
	for i, j := range row.Index {
		x := row.At(i)
		numbers := m.values[int(j)*m.stride+modelsAt:]
		for k, g := range m.gradients {
			d := m.moves(i, k, g, x, unit, numbers[2*k])
			numbers[2*k] -= d
			numbers[2*k+1] -= float64(d * perDecay)
		}
	}
}

// moves is by how much the weight w of the i-th non-zero x gets less: the step along the gradient of the whole objective.
func (m *Models) moves(i, model int, g, x, unit, w float64) float64 {
	if len(m.penalties) > 0 {
		g += m.penalties[i*m.count+model]
	}
	s := &m.steps[i]
	return float64(s.Size*float64(float64(g*x)*unit)) + float64(s.Shrink*w)
}
