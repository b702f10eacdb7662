package linear

import (
	"math"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/features"
)

// The less the features say about the label, the smaller a step should be: noise is then most of every
// gradient. The step is multiplied by twice the skill of the free iterate, within leastStep and 1; at
// half of all variance explained it is learner.step itself.
const leastStep = .2

// stepSize is learner.step times what the skill allows. The skill is the share of the labels' variance that the free
// iterate explains, Brier's for decisions.
func (m *Models) stepSize() float64 {
	if m.settings.Without.Has(refine.Skill) {
		return m.settings.Step
	}
	skill := 1 - m.squaredError/max(m.loss.Variance(), 1e-12)
	return m.settings.Step * min(1, max(leastStep, 2*max(0, skill)))
}

// Step takes one step of every model from a row whose margins are given. push is what its constraint adds to the
// gradient of each model, weight what Count returned. It returns the gradients of the step in the margins, which are
// valid until the next one.
func (m *Models) Step(row *features.Row, at *Margins, push []float64, label, weight float64) []float64 {
	m.loss.Observe(label, weight, &m.memory)
	if unit := m.loss.Unit(); unit > 0 {
		square := m.grade(at, push, label, weight)
		if m.plain(row) {
			m.imply(push, weight, 0)
			m.descendTwo(row.Index, square)
		} else {
			length := m.sizes(row, square)
			m.imply(push, weight, length)
			m.penalize(row, at, unit)
			m.moveSums(row, unit)
			m.move(row, unit)
		}
	}
	m.decay *= 1 - max(1/m.averaging, 1/(1+m.memory.Records/earlyAveraging))
	if m.decay < rescaleBelow {
		m.rescale()
	}
	return m.gradients
}

// Nudge takes a step of one model from a gradient in its margin of a row, which is no record of its own: the loss is not
// asked, and averages do not age.
func (m *Models) Nudge(row *features.Row, model int, gradient float64) {
	clear(m.gradients)
	m.gradients[model] = gradient
	m.penalties = m.penalties[:0]
	m.sizes(row, gradient*gradient/float64(len(m.gradients)))
	m.move(row, 1)
}

// grade computes the gradients of the loss, and returns the mean square of those of all that is learnt from.
func (m *Models) grade(at *Margins, push []float64, label, weight float64) float64 {
	square := 0.0
	for k, margin := range at.Iterate {
		slope := m.loss.Gradient(margin, label)
		m.gradients[k] = slope
		if k == 0 {
			m.squaredError += float64((float64(slope*slope) - m.squaredError) * m.memory.skillFade())
		}
		g := float64(weight * (slope + push[k]))
		square += float64(g * g)
	}
	return square / float64(len(at.Iterate))
}

// sizes computes the step and the pull to 0 of each weight of the row. It returns Σ step x².
//
// A weight is drawn to 0 by the share of its prior in what is known of it (prior.go), and by the L2 term.
// Both are taken implicitly, (1 + step mu) w' = w - step g x, and so are stable whatever the step: that of a
// weight whose x is tiny for long has no bound.
func (m *Models) sizes(row *features.Row, square float64) (length float64) {
	size, keep, noise := m.stepSize(), 1-1/m.settings.Forgetting, m.noise()
	m.steps, m.pulls = m.steps[:0], m.pulls[:0]
	for i, j := range row.Index {
		x := row.At(i)
		numbers := m.values[int(j)*m.stride : int(j)*m.stride+modelsAt]
		information := square * float64(x*x)
		curvature := float64(numbers[curvatureAt]*keep) + float64(information)
		numbers[curvatureAt] = curvature
		pull := m.settings.Regularization + float64(float64(noise*numbers[precisionAt])*information)/curvature
		step := size / (m.root(curvature) + float64(size*pull))
		m.steps, m.pulls = append(m.steps, step), append(m.pulls, pull)
		length += float64(step * float64(x*x))
	}
	return length
}

// root is what the step of a weight is divided by.
func (m *Models) root(curvature float64) float64 {
	if m.settings.Without.Has(refine.PreconditionedSteps) {
		return math.Sqrt(1 + min(m.memory.Records, m.settings.Forgetting))
	}
	return math.Sqrt(curvature)
}

// imply makes gradients those of the whole objective. Where the curvature of the loss is constant the step is implicit
// in it (Toulis and Airoldi, Annals of Statistics 45, 2017): the residual r of a record after a step is r/(1 + length),
// so no step overshoots.
func (m *Models) imply(push []float64, weight, length float64) {
	if m.curvature == 0 {
		for k, slope := range m.gradients {
			m.gradients[k] = weight * (slope + push[k])
		}
		return
	}
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
			x, step := row.At(i), m.steps[i]
			numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
			for k, g := range m.gradients {
				m.moved[k] -= float64(numbers[at] * float64(step*m.slope(i, k, g, x, unit, numbers[modelsAt+2*k])))
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
	perDecay := 1 / m.decay
	for i, j := range row.Index {
		x, step := row.At(i), m.steps[i]
		numbers := m.values[int(j)*m.stride+modelsAt:]
		for k, g := range m.gradients {
			d := -float64(step * m.slope(i, k, g, x, unit, numbers[2*k]))
			numbers[2*k] += d
			numbers[2*k+1] += float64(d * perDecay)
		}
	}
}

// plain says whether a step is of the common kind: two models, a row of ones, and a loss whose steps are explicit.
func (m *Models) plain(row *features.Row) bool {
	return m.settings.Models == 2 && len(row.Value) == 0 && m.curvature == 0 && len(m.sums) == 0 && m.settings.Sparsity == 0 && m.settings.Without == 0
}

// descendTwo is sizes and move in one for a plain step: with twoMargins it saves replay more than 3 % of its time.
func (m *Models) descendTwo(row []int32, information float64) {
	perDecay, free, other := 1/m.decay, m.gradients[0], m.gradients[1]
	size, keep, regularization := m.stepSize(), 1-1/m.settings.Forgetting, m.settings.Regularization
	values, stride := m.values, m.stride
	for _, j := range row {
		numbers := values[int(j)*stride:]
		numbers = numbers[:6]
		curvature := float64(numbers[0]*keep) + information
		pull := regularization + float64(numbers[1]*information)/curvature
		step := size / (math.Sqrt(curvature) + float64(size*pull))
		d := -float64(step * (free + float64(pull*numbers[2])))
		e := -float64(step * (other + float64(pull*numbers[4])))
		numbers[0] = curvature
		numbers[2] += d
		numbers[3] += float64(d * perDecay)
		numbers[4] += e
		numbers[5] += float64(e * perDecay)
	}
}

// slope is the gradient of the whole objective in the weight w of the i-th non-zero x.
func (m *Models) slope(i, model int, g, x, unit, w float64) float64 {
	if len(m.penalties) > 0 {
		g += m.penalties[i*m.settings.Models+model]
	}
	return float64(float64(g*x)*unit) + float64(m.pulls[i]*w)
}
