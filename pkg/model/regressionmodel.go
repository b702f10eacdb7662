package model

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// pressing is the multiplier of a pressed model, in units in which the push has root mean square 1 and
	// the residual one of at most 1. Any would do: see regressionpressure.go.
	pressing = .5
	// squaredLossStep is the step relative to that on the logarithmic loss, which is curved a quarter as much.
	squaredLossStep = .5
)

// regressionModel is an additive model of a number, the sum of a function of each column, with a linear
// constraint: the fair SpAM of the paper (fairspam),
//
//	min E ½(w⋅φ − y)²/s² + (rho/2)|w/s|² + penalty   s.t.  |E[w⋅φ | group] − E[w⋅φ | versus]| <= tau
//
// with y less the centre of the labels and s their spread (labelScale), rho learner.regularization, and the
// penalty of regressionsparsity.go. Like mode adaptive of the
// classifier it learns a free model and one pressed model per enforced comparison; each takes steps of
// AdaGrad (Duchi, Hazan and Singer, JMLR 12, 2011), implicit in the loss (Toulis and Airoldi, Annals of
// Statistics 45, 2017): the residual r of a record after a step of size η along φ is r/(1 + η|φ|²), so no
// step overshoots. Each is averaged exponentially (Polyak and Juditsky, SIAM J. Control Optim. 30, 1992), and only averages
// predict.
//
// With K enforced comparisons, weight j takes 2 + 2(K+1) + 2K numbers in values:
//
//	G²_j, its precision, then for each model: w_j, r_j, then for each enforced comparison: S_j of group and versus, scaled
//
// The average is w_j − decay·r_j: see adaptive. S is that of sideMean. A step costs O(non-zeros · K).
type regressionModel struct {
	step, regularization  float64
	forgetting, averaging float64
	aim                   aim
	minimum               float64 // records of a side
	models, stride        int
	enforced              []int // indices of the enforced comparisons

	values       []float64
	decay        float64
	records      float64 // learnt
	meanWeight   float64
	label        labelScale
	squaredError float64 // of the free iterate, in units of the labels' variance, averaged
	sides        [][2]sideMean
	shares       [][2]float64 // of the records that are on each side
	pressures    []regressionPressure
	untilChoice  int64
	sparsity     sparsity
	evidence     evidence

	raw, lags, average, gradient, push []float64 // scratch, per model
	steps, pulls                       []float64 // scratch, per non-zero of the row
	moved                              []float64 // scratch: change of the products with S
}

func newRegressionModel(config LearnerConfig, enforced []int, comparisons []fairness.Comparison) *regressionModel {
	models := len(enforced) + 1
	m := &regressionModel{
		step: config.Step, regularization: config.Regularization,
		forgetting: float64(config.Forgetting), averaging: averagingShare * float64(config.Forgetting),
		aim: newAim(config, len(enforced)), minimum: float64(config.MinimumRecords),
		models: models, stride: modelsAt + 2*models + 2*len(enforced), enforced: enforced,
		decay: 1, squaredError: startSkill, untilChoice: choiceInterval, sparsity: sparsity{mu: config.Sparsity},
		raw: make([]float64, models), lags: make([]float64, models), average: make([]float64, models),
		gradient: make([]float64, models), push: make([]float64, models), moved: make([]float64, models),
	}
	for _, i := range enforced {
		m.sides = append(m.sides, [2]sideMean{newSideMean(config.Window, models), newSideMean(config.Window, models)})
		m.shares = append(m.shares, [2]float64{})
		m.pressures = append(m.pressures, regressionPressure{tau: comparisons[i].Tau, reachable: true})
	}
	return m
}

// grow makes room for weights.
func (m *regressionModel) grow(size int32) {
	for len(m.values) < int(size)*m.stride {
		start := len(m.values)
		m.values = append(m.values, make([]float64, m.stride)...)
		m.values[start+curvatureAt] = startCurvature
		if start > 0 { // the intercept has no prior
			m.values[start+precisionAt] = startLabelPrecision
		}
	}
}

// predict returns the predictions for a row of what is published and of the free model, and leaves the
// products of the row with all models for learn.
func (m *regressionModel) predict(row *Row) (published, free float64) {
	clear(m.raw)
	clear(m.lags)
	for i, j := range row.Index {
		x := row.At(i)
		numbers := m.values[int(j)*m.stride+modelsAt : int(j)*m.stride+modelsAt+2*m.models]
		for k := range m.raw {
			m.raw[k] += float64(numbers[2*k] * x)
			m.lags[k] += float64(numbers[2*k+1] * x)
		}
	}
	for k, raw := range m.raw {
		m.average[k] = raw - float64(m.decay*m.lags[k])
	}
	published = m.average[0]
	for k := range m.pressures {
		published += float64(m.pressures[k].value * (m.average[k+1] - m.average[0]))
	}
	return m.label.prediction(published), m.label.prediction(m.average[0])
}

// surprise is how far a label is off the free model's prediction, and the variance that this has on average, in
// units of the labels' spread and its square. It is 0 while all labels were equal, and bounded like that of a
// step.
func (m *regressionModel) surprise(label, free float64) (residual, variance float64) {
	spread := m.label.spread()
	if spread <= 0 {
		return 0, 0
	}
	return min(largestDeviation, max(-largestDeviation, (label-free)/spread)), m.squaredError
}

// learn takes one step from the row that predict was just asked about. weight is positive.
func (m *regressionModel) learn(row *Row, label, prediction, weight float64, sides []fairness.Side) {
	m.records++
	m.meanWeight += float64((weight - m.meanWeight) * max(1/m.records, 1/m.forgetting))
	weight = min(weight/m.meanWeight, largestWeight)
	for k, i := range m.enforced {
		m.place(k, sides[i], row, prediction, weight)
	}
	m.label.observe(label, weight, m.forgetting)
	if spread := m.label.spread(); spread > 0 {
		m.descend(row, label-m.label.centre, spread, weight)
	}
	m.decay *= 1 - max(1/m.averaging, 1/(1+m.records/earlyAveraging))
	if m.decay < rescaleBelow {
		m.rescale()
	}
	m.untilChoice--
	if m.untilChoice <= 0 {
		m.untilChoice = choiceInterval
		m.choose()
	}
}

// place adds the record to the mean of the side it is on, and sets the push that it gives to the pressed
// model: the gradient of the difference of the means in its prediction, scaled.
func (m *regressionModel) place(k int, side fairness.Side, row *Row, prediction, weight float64) {
	fade := max(1/m.records, 1/m.forgetting)
	shares := &m.shares[k]
	on := -1
	for i, s := range [2]fairness.Side{fairness.Group, fairness.Versus} {
		hit := 0.0
		if side == s {
			on, hit = i, 1
		}
		shares[i] += float64((hit - shares[i]) * fade)
	}
	m.push[k+1] = 0
	if on < 0 {
		return
	}
	mean := &m.sides[k][on]
	mean.fade(weight, m.raw, m.lags)
	mean.observe(prediction-m.label.centre, weight, m.pressures[k].chosen)
	if mean.scale < rescaleBelow {
		m.fold(k, on)
	}
	at, share := m.sideOffset(k, on), weight/mean.scale
	for i, j := range row.Index {
		m.values[int(j)*m.stride+at] += float64(share * row.At(i))
	}
	if shares[0] > 0 && shares[1] > 0 {
		// Both sides by the same factor, so that what one is pushed down the other is pushed up.
		norm := max(math.Sqrt(1/shares[0]+1/shares[1]), max(1/shares[0], 1/shares[1])/largestPush)
		m.push[k+1] = pressing / (shares[on] * norm)
		if on == 1 {
			m.push[k+1] = -m.push[k+1]
		}
	}
}

// sideOffset is where in the numbers of a weight S_j stands.
func (m *regressionModel) sideOffset(k, side int) int { return modelsAt + 2*m.models + 2*k + side }

// descend moves the weights that the row touches. target is the label less the centre.
func (m *regressionModel) descend(row *Row, target, spread, weight float64) {
	free := m.residual(0, target, spread)
	m.squaredError += float64((float64(free*free) - m.squaredError) * max(1/(startRecords+m.records), 1/skillRecords))
	square := 0.0
	for k := range m.gradient {
		m.gradient[k] = m.residual(k, target, spread)
		g := float64(weight * (m.gradient[k] + m.push[k]))
		square += float64(g * g)
	}
	square /= float64(m.models)
	size := m.stepSize()
	keep, noise := 1-1/m.forgetting, m.noise()
	m.steps, m.pulls = m.steps[:0], m.pulls[:0]
	length := 0.0 // η|φ|²
	for i, j := range row.Index {
		x := row.At(i)
		numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
		information := square * float64(x*x)
		curvature := float64(numbers[curvatureAt]*keep) + float64(information)
		numbers[curvatureAt] = curvature
		// The record's share of the prior. Steps are implicit in it and in the L2 term too.
		pull := m.regularization + float64(float64(noise*numbers[precisionAt])*information)/curvature
		step := size / (math.Sqrt(curvature) + float64(size*pull))
		m.steps, m.pulls = append(m.steps, step), append(m.pulls, pull)
		length += float64(step * float64(x*x))
	}
	length = float64(length * weight)
	for k, r := range m.gradient {
		// After the step the residual is r − length (residual + push): solved for the residual.
		m.gradient[k] = weight * ((r-float64(length*m.push[k]))/(1+length) + m.push[k])
	}
	m.penalize(row, spread)
	m.move(row, spread)
}

// residual is that of an iterate, in units of the spread and bounded.
func (m *regressionModel) residual(k int, target, spread float64) float64 {
	return min(largestDeviation, max(-largestDeviation, (m.raw[k]-target)/spread))
}

// move takes the steps, and takes the products with S along.
func (m *regressionModel) move(row *Row, spread float64) {
	perDecay := 1 / m.decay
	for k := range m.sides {
		for side := range m.sides[k] {
			clear(m.moved)
			at := m.sideOffset(k, side)
			for i, j := range row.Index {
				x, step := row.At(i), m.steps[i]
				numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
				for model, g := range m.gradient {
					m.moved[model] -= float64(numbers[at] * float64(step*m.slope(i, model, g, x, spread, numbers[modelsAt+2*model])))
				}
			}
			s := &m.sides[k][side]
			for model, moved := range m.moved {
				s.iterate[model] += float64(s.scale * moved)
				s.lag[model] += float64(float64(s.scale*moved) * perDecay)
			}
		}
	}
	for i, j := range row.Index {
		x, step := row.At(i), m.steps[i]
		numbers := m.values[int(j)*m.stride : (int(j)+1)*m.stride]
		for k, g := range m.gradient {
			d := -float64(step * m.slope(i, k, g, x, spread, numbers[modelsAt+2*k]))
			numbers[modelsAt+2*k] += d
			numbers[modelsAt+1+2*k] += float64(d * perDecay)
		}
	}
}

// slope is the gradient of the whole objective in the weight w of the i-th non-zero x.
func (m *regressionModel) slope(i, model int, g, x, spread, w float64) float64 {
	if len(m.sparsity.gradients) > 0 {
		g += m.sparsity.gradients[i*m.models+model]
	}
	return float64(float64(g*x)*spread) + float64(m.pulls[i]*w)
}

// stepSize is learner.step times what the skill allows: see adaptive.
func (m *regressionModel) stepSize() float64 {
	return m.step * squaredLossStep * min(1, max(leastStep, 2*max(0, 1-m.squaredError)))
}

// rescale folds the decay into the averages. It touches every weight, once in some million records.
func (m *regressionModel) rescale() {
	for at := 0; at < len(m.values); at += m.stride {
		for k := range m.models {
			m.values[at+modelsAt+1+2*k] *= m.decay
		}
	}
	for k := range m.sides {
		for side := range m.sides[k] {
			for model := range m.models {
				m.sides[k][side].lag[model] *= m.decay
			}
		}
	}
	m.decay = 1
}

// fold does the same with the scale of a side's S.
func (m *regressionModel) fold(k, side int) {
	s := &m.sides[k][side]
	for at := m.sideOffset(k, side); at < len(m.values); at += m.stride {
		m.values[at] *= s.scale
	}
	s.scale = 1
}

// unconstrained writes the free average.
func (m *regressionModel) unconstrained(dst []float64) {
	for j := range dst {
		dst[j] = m.weight(j, nil)
	}
}

// weight is the free average plus the pressures, and the centre of the labels in the intercept.
func (m *regressionModel) weight(j int, pressures []regressionPressure) float64 {
	numbers := m.values[j*m.stride+modelsAt : (j+1)*m.stride]
	free := numbers[0] - float64(m.decay*numbers[1])
	w := free
	for k := range pressures {
		average := numbers[2*k+2] - float64(m.decay*numbers[2*k+3])
		w += float64(pressures[k].value * (average - free))
	}
	if j == int(intercept) {
		w += m.label.centre
	}
	return w
}
