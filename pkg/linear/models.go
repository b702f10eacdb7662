package linear

import (
	"slices"

	"github.com/fairstream/fairstream/internal/adagrad"
	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/internal/sums"
	"github.com/fairstream/fairstream/pkg/features"
)

// Settings of the models.
type Settings struct {
	// Most is how many constrained models there can be beside the first one, which has no constraint: see Join.
	Most int
	// Sums is how many running sums of rows come with each constrained model, over Window rows each.
	Sums, Window int
	// Step is the step size, above 0.
	Step float64
	// Regularization is the weight mu of (mu/2)|w|².
	Regularization float64
	// Sparsity is the weight of the penalty that shrinks columns, 0 for none.
	Sparsity float64
	// Forgetting is how many records back the past fades.
	Forgetting float64
	// Without are refinements that a study leaves out.
	Without refine.Set
}

const (
	// averagingShare of the forgetting is the length of the average that is published.
	averagingShare = .5
	// earlyAveraging lets the average follow closely at first: its weight is 1/(1+t/earlyAveraging).
	earlyAveraging = 4.0
	// startCurvature starts AdaGrad's sums, so that the first steps of a weight are not large.
	startCurvature = 2
	// largestWeight bounds a record's weight in the loss, relative to the mean.
	largestWeight = 100.0
)

// Models are linear models over the same rows: the free one, and the constrained ones that have joined it. With K of them and
// S sums, weight j has 2 + 2K + S numbers in values:
//
//	G²_j, the precision of its prior, then for each model: w_j, r_j, then for each sum: S_j, scaled
//
// w_j is the iterate. The average is w_j − decay·r_j: a change d of w_j between two averagings moves r_j
// by d/decay, and then every average moves towards its iterate when decay alone shrinks. So averaging
// costs nothing for weights that a record does not touch.
type Models struct {
	loss      Loss
	settings  Settings
	constants Constants
	curvature float64 // of the loss
	averaging float64 // records
	stride    int     // numbers of a weight: derived from count

	state
	scratch
}

// state is what a snapshot saves.
type state struct {
	count        int // models
	values       []float64
	decay        float64
	memory       Memory
	meanWeight   float64
	squaredError float64 // of the free iterate, in the unit of the loss, averaged
	bounded      float64 // by what steps are multiplied to bound what a record moves its own margin, averaged
	sums         []sum
	prior        prior
	norms        [][]float64 // of the penalty: by owner, per model
}

// scratch has no meaning between two calls.
type scratch struct {
	gradients []float64      // per model
	steps     []adagrad.Step // per non-zero of the row
	moved     []float64      // per model
	penalties []float64      // per non-zero and model, empty without a penalty
	owners    []int32        // of each weight: derived from the encoder
}

// Where the numbers of a weight are.
const (
	curvatureAt = 0
	precisionAt = 1
	modelsAt    = 2 // two for each model: its iterate, and what keeps its average
)

// New returns the free model, which has learnt nothing, and so gives the margin 0.
func New(settings Settings, loss Loss) *Models {
	m := &Models{
		loss: loss, settings: settings, constants: loss.Constants(), curvature: loss.Curvature(),
		averaging: averagingShare * settings.Forgetting,
	}
	m.settings.Step *= m.constants.Step
	m.decay, m.bounded, m.memory.Forgetting, m.squaredError = 1, 1, settings.Forgetting, m.constants.StartError
	m.gradients, m.moved = make([]float64, settings.Most+1), make([]float64, settings.Most+1)
	m.have(1)
	return m
}

// have sets the number of models, and what is derived from it.
func (m *Models) have(count int) {
	m.count = count
	m.stride = modelsAt + 2*count + m.settings.Sums*(count-1)
	m.gradients, m.moved = m.gradients[:count], m.moved[:count]
}

// NewMargins returns room for the margins of a row, however many models join.
func (m *Models) NewMargins() *Margins {
	most := m.settings.Most + 1
	return &Margins{Iterate: make([]float64, m.count, most), Average: make([]float64, m.count, most), lag: make([]float64, m.count, most)}
}

// Margins computes those of a row.
func (m *Models) Margins(dst *Margins, row *features.Row) {
	dst.have(m.count)
	switch m.count {
	case 1:
		m.oneMargin(dst, row)
	case 2:
		m.twoMargins(dst, row)
	default:
		m.allMargins(dst, row)
	}
}

func (m *Models) allMargins(dst *Margins, row *features.Row) {
	clear(dst.Iterate)
	clear(dst.lag)
	for i, j := range row.Index {
		x := row.At(i)
		numbers := m.values[int(j)*m.stride+modelsAt:]
		for k := range dst.Iterate {
			dst.Iterate[k] += float64(numbers[2*k] * x)
			dst.lag[k] += float64(numbers[2*k+1] * x)
		}
	}
	for k, raw := range dst.Iterate {
		dst.Average[k] = raw - float64(m.decay*dst.lag[k])
	}
}

// oneMargin is Margins for the free model alone, with its sums in registers.
func (m *Models) oneMargin(dst *Margins, row *features.Row) {
	values, stride, raw, lag, x := m.values, m.stride, 0.0, 0.0, 1.0
	for i, j := range row.Index {
		if i < len(row.Value) {
			x = float64(row.Value[i])
		}
		at := int(j)*stride + modelsAt
		numbers := (*[2]float64)(values[at : at+2])
		raw += float64(numbers[0] * x)
		lag += float64(numbers[1] * x)
	}
	dst.Iterate[0], dst.lag[0], dst.Average[0] = raw, lag, raw-float64(m.decay*lag)
}

// twoMargins is Margins for two models, the common case.
func (m *Models) twoMargins(dst *Margins, row *features.Row) {
	var weights sums.Weights // field by field, as in Influence.Margins
	var all sums.Sums
	weights.Values, weights.Stride, weights.At = m.values, m.stride, modelsAt
	all.Add(&weights, sums.Row{Index: row.Index, Value: row.Value})
	m.setTwo(dst, &all.Of)
}

// setTwo sets the margins of two models from the sums of their iterates, and of how far their averages lag behind, without the decay.
func (m *Models) setTwo(dst *Margins, of *[sums.Numbers]float64) {
	dst.have(2)
	iterate, average, lag := (*[2]float64)(dst.Iterate), (*[2]float64)(dst.Average), (*[2]float64)(dst.lag)
	iterate[0], iterate[1] = of[0], of[2]
	lag[0], lag[1] = of[1], of[3]
	average[0] = of[0] - float64(m.decay*of[1])
	average[1] = of[2] - float64(m.decay*of[3])
}

// Weight is the j-th weight of a combination of the averages: that of the first model, plus for each further one its
// difference from the first times its interpolation weight.
func (m *Models) Weight(j int, interpolation []float64) float64 {
	numbers := m.values[j*m.stride+modelsAt : (j+1)*m.stride]
	free := numbers[0] - float64(m.decay*numbers[1])
	w := free
	for k, value := range interpolation {
		average := numbers[2*k+2] - float64(m.decay*numbers[2*k+3])
		w += float64(value * (average - free))
	}
	return w
}

// Weights writes what Weight gives for the weights from the from-th on, and what it gives without interpolation.
func (m *Models) Weights(combined, free []float64, from int, interpolation []float64) {
	values, stride, decay := m.values[from*m.stride:], m.stride, m.decay
	free = free[:len(combined)]
	for i := range combined {
		numbers := values[i*stride+modelsAt : (i+1)*stride]
		alone := numbers[0] - float64(decay*numbers[1])
		w := alone
		for k, value := range interpolation {
			average := numbers[2*k+2] - float64(decay*numbers[2*k+3])
			w += float64(value * (average - alone))
		}
		combined[i], free[i] = w, alone
	}
}

// Models is how many there are, the free one included.
func (m *Models) Models() int { return m.count }

// Count takes in that a record was learnt, and returns its weight relative to the mean weight, so that the scale of
// weights is of no consequence.
func (m *Models) Count(weight float64) float64 {
	m.memory.Records++
	m.meanWeight += float64((weight - m.meanWeight) * m.memory.fade())
	return m.Relative(weight)
}

// Relative is the weight of a record relative to the mean weight of the labelled records that were learnt.
func (m *Models) Relative(weight float64) float64 {
	if m.meanWeight <= 0 {
		return 0
	}
	return min(weight/m.meanWeight, largestWeight)
}

// Loss is what the models minimise.
func (m *Models) Loss() Loss { return m.loss }

// SquaredError is that of the free iterate, averaged.
func (m *Models) SquaredError() float64 { return m.squaredError }

// Add adds a row, whose margins are given, to a running sum.
func (m *Models) Add(sum int, row *features.Row, at *Margins, weight float64) {
	s := &m.sums[sum]
	s.fade(weight, at)
	if s.scale < rescaleBelow {
		m.fold(sum)
	}
	offset, share := m.sumAt(sum), weight/s.scale
	for i, j := range row.Index {
		m.values[int(j)*m.stride+offset] += float64(share * row.At(i))
	}
}

// Mean is the mean margin that the average of a model gives the rows of a sum.
func (m *Models) Mean(sum, model int) float64 {
	s := &m.sums[sum]
	return (s.iterate[model] - float64(m.decay*s.lag[model])) / s.weight
}

// Part is what the weights from ≤ j < to of the model that is published at interpolation weights add to the mean margin of the rows of a sum.
func (m *Models) Part(sum int, interpolation []float64, from, to int) (part float64) {
	s, at := &m.sums[sum], m.sumAt(sum)
	for j := from; j < to; j++ {
		part += float64(m.values[j*m.stride+at] * m.Weight(j, interpolation))
	}
	return part * s.scale / s.weight
}

// Total is the weight of the rows of a sum.
func (m *Models) Total(sum int) float64 { return m.sums[sum].weight }

// Effective is Kish's effective number of the rows of a sum.
func (m *Models) Effective(sum int) float64 {
	s := &m.sums[sum]
	if s.squared == 0 {
		return 0
	}
	return s.weight * s.weight / s.squared
}

// sumAt is where S_j stands in the numbers of a weight.
func (m *Models) sumAt(sum int) int { return modelsAt + 2*m.count + sum }

// rescale folds the decay into the averages. It touches every weight, once in some million records.
func (m *Models) rescale() {
	for at := 0; at < len(m.values); at += m.stride {
		for k := range m.count {
			m.values[at+modelsAt+1+2*k] *= m.decay
		}
	}
	for i := range m.sums {
		for k := range m.sums[i].lag {
			m.sums[i].lag[k] *= m.decay
		}
	}
	m.decay = 1
}

// fold does the same with the scale of a sum.
func (m *Models) fold(sum int) {
	s := &m.sums[sum]
	at := m.sumAt(sum)
	for of := range slices.Chunk(m.values, m.stride) {
		of[at] *= s.scale
	}
	s.scale = 1
}
