package model

import (
	"math"
	"unsafe"
)

// The steps of the adaptive learner: AdaGrad (Duchi, Hazan and Singer, JMLR 12, 2011) and the exponential
// average of its iterates.

const (
	// startCurvature starts AdaGrad's sums: a weight that has hardly been seen must not be thrown about.
	startCurvature = 2
	// The less the features say about the label, the smaller a step should be: noise is then most of every
	// gradient. The step is multiplied by twice the Brier skill of the free iterate, within leastStep and 1; at
	// half of all variance explained it is learner.step itself. skillRecords is how long the skill is averaged,
	// startSkill what it is taken for at first.
	leastStep    = .2
	skillRecords = 5000.0
	startSkill   = .5
	startRecords = 1000.0
	// rescaleBelow is where the decay of the averages is folded into the weights, before it underflows.
	rescaleBelow = 1e-150
)

// Where the numbers of a weight are, of adaptive.values.
const (
	curvatureAt = 0
	precisionAt = 1
	modelsAt    = 2 // two for each model: its iterate, and what keeps its average
)

// weightsOfTwo is values with the numbers of each weight together, if there are two models: finding them in the
// plain slice takes 4 % of replay's time.
func (a *adaptive) weightsOfTwo() [][modelsAt + 2*2]float64 {
	type weight = [modelsAt + 2*2]float64
	return unsafe.Slice((*weight)(unsafe.Pointer(unsafe.SliceData(a.values))), len(a.values)/len(weight{}))
}

// averages computes the margins of a row under the iterates and the averages of all models.
func (a *adaptive) averages(row *Row) {
	if a.models == 2 && len(row.Value) == 0 {
		a.averagesOfTwo(row.Index)
		return
	}
	clear(a.raw)
	clear(a.average)
	for i, j := range row.Index {
		x := row.At(i)
		numbers := a.values[int(j)*a.stride+modelsAt : (int(j)+1)*a.stride]
		for k := range a.raw {
			a.raw[k] += float64(numbers[2*k] * x)
			a.average[k] += float64(numbers[2*k+1] * x)
		}
	}
	for k, raw := range a.raw {
		a.average[k] = raw - float64(a.decay*a.average[k])
	}
}

// averagesOfTwo is averages for a single constraint and a row of ones, the common case, with its sums in
// registers.
func (a *adaptive) averagesOfTwo(row []int32) {
	var freeRaw, free, pressedRaw, pressed float64
	weights := a.weightsOfTwo()
	for _, j := range row {
		numbers := &weights[j]
		freeRaw += numbers[2]
		free += numbers[3]
		pressedRaw += numbers[4]
		pressed += numbers[5]
	}
	a.raw[0], a.raw[1] = freeRaw, pressedRaw
	a.average[0] = freeRaw - float64(a.decay*free)
	a.average[1] = pressedRaw - float64(a.decay*pressed)
}

// observe keeps the free iterate's Brier score: the gradient of the logarithmic loss is the error of the
// probability.
func (a *adaptive) observe(gradient float64, positive bool) {
	fade := max(1/(startRecords+a.records), 1/skillRecords)
	y := 0.0
	if positive {
		y = 1
	}
	a.squaredError += float64((float64(gradient*gradient) - a.squaredError) * fade)
	a.positives += float64((y - a.positives) * fade)
}

// stepSize is learner.step times what the skill allows.
func (a *adaptive) stepSize() float64 {
	variance := a.positives * (1 - a.positives)
	skill := 1 - a.squaredError/max(variance, 1e-12)
	return a.step * min(1, max(leastStep, 2*max(0, skill)))
}

// descend moves the weights that the row touches. square is the mean square of the models' gradients.
//
// A weight is drawn to 0 by the share of its prior in what is known of it (evidence.go), and by the L2 term.
// Both are taken implicitly, (1 + step mu) w' = w - step g x, and so are stable whatever the step: that of a
// weight whose x is tiny for long has no bound.
func (a *adaptive) descend(row *Row, square float64) {
	if a.models == 2 && len(row.Value) == 0 {
		a.descendTwo(row.Index, square)
		return
	}
	perDecay := 1 / a.decay
	size := a.stepSize()
	keep := 1 - 1/a.forgetting
	for i, j := range row.Index {
		x := row.At(i)
		numbers := a.values[int(j)*a.stride : (int(j)+1)*a.stride]
		information := square * float64(x*x)
		curvature := float64(numbers[curvatureAt]*keep) + float64(information)
		pull := a.regularization + float64(numbers[precisionAt]*information)/curvature
		step := size / (math.Sqrt(curvature) + float64(size*pull))
		numbers[curvatureAt] = curvature
		models := numbers[modelsAt:]
		for k, g := range a.gradient {
			w := models[2*k]
			d := -float64(step * (float64(g*x) + float64(pull*w)))
			models[2*k] = w + d
			models[2*k+1] += float64(d * perDecay)
		}
	}
}

// descendTwo is descend for a single constraint and a row of ones.
func (a *adaptive) descendTwo(row []int32, information float64) {
	perDecay := 1 / a.decay
	free, pressed := a.gradient[0], a.gradient[1]
	size, regularization := a.stepSize(), a.regularization
	keep := 1 - 1/a.forgetting
	weights := a.weightsOfTwo()
	for _, j := range row {
		numbers := &weights[j]
		curvature := float64(numbers[0]*keep) + information
		pull := regularization + float64(numbers[1]*information)/curvature
		step := size / (math.Sqrt(curvature) + float64(size*pull))
		d := -float64(step * (free + float64(pull*numbers[2])))
		e := -float64(step * (pressed + float64(pull*numbers[4])))
		numbers[0] = curvature
		numbers[2] += d
		numbers[3] += float64(d * perDecay)
		numbers[4] += e
		numbers[5] += float64(e * perDecay)
	}
}

// rescale folds the decay into the averages. It touches every weight, once in some million records.
func (a *adaptive) rescale() {
	for at := modelsAt; at < len(a.values); at += a.stride {
		for k := range a.models {
			a.values[at+2*k+1] *= a.decay
		}
	}
	a.decay = 1
}
