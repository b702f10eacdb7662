package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
)

// levelled is an encoder of levelled columns with this many levels each; their weights follow the intercept, in order.
func levelled(t *testing.T, levels ...int) *features.Frozen {
	t.Helper()
	parts := features.Parts{Size: 1}
	for column, count := range levels {
		parts.Columns = append(parts.Columns, features.Column{Name: string(rune('a' + column)), Kind: features.Levelled})
		for range count {
			parts.Levels = append(parts.Levels, features.Level{Slot: features.ColumnSlot(column), Weight: parts.Size, Key: uint64(1000 + parts.Size)})
			parts.Size++
		}
	}
	e, err := features.NewFrozen(parts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSmallColumnsShareAPrecision: columns of one and two levels have that of all of them together, by how well they predict if there are 32 levels or more; one of
// three levels has its own.
func TestSmallColumnsShareAPrecision(t *testing.T) {
	constants := NewLogistic().Constants()
	const information, noise = 40.0, .5
	known := information / (information + constants.StartPrecision)
	for name, test := range map[string]struct {
		flags  int // each with a weight of 1
		shared shared
		small  float64 // the precision times the mean square of the weights
	}{
		"few":                {28, shared{precision: 3, told: 4, squared: 7.5}, known},
		"not known how well": {29, shared{}, known * known},
		"too little is said": {29, shared{precision: 3, told: 4, squared: 7.5}, known * known / 2.25},
		"too much":           {29, shared{precision: 3, told: -4, squared: 7.5}, known * known * 4},
		"nothing":            {29, shared{precision: 3, told: -40, squared: 7.5}, known * known * 16},
		"diverged":           {29, shared{precision: 3, told: math.NaN(), squared: 7.5}, known * known * 16},
	} {
		levels := append([]int{1, 2, 3}, slices.Repeat([]int{1}, test.flags)...)
		weights := append([]float64{0, .5, 1, -1, .25, .5, -.25}, slices.Repeat([]float64{1}, test.flags)...)
		var p prior
		p.shared = test.shared
		e := levelled(t, levels...)
		p.choose(e, constants, noise, func(j int) (float64, float64) { return information, weights[j] })
		got := map[int]float64{}
		e.Groups(func(group int, from, to int32) {
			for j := from; j < to; j++ {
				got[int(j)] = p.precisions[group]
			}
		})
		small, large := test.small*float64(3+test.flags)/(2.25+float64(test.flags)), 3*known/(.0625+.25+.0625)
		for j := 1; j < len(weights); j++ {
			want := small
			if j >= 4 && j <= 6 {
				want = large
			}
			if math.Abs(got[j]/want-1) > 1e-12 {
				t.Errorf("%s: weight %d has the precision %v, want %v", name, j, got[j], want)
			}
		}
		next := shared{precision: got[1]}
		if test.flags == 28 {
			next = shared{}
		}
		if p.shared != next {
			t.Errorf("%s: the next choice begins with %+v", name, p.shared)
		}
	}
}

// TestWhatSharedColumnsForetold: of each record that comes, the part of the free model's average margin that is of weights with the shared precision, beside
// the gradient and the curvature at that margin.
func TestWhatSharedColumnsForetold(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 7))
	for name, loss := range map[string]Loss{"logistic": NewLogistic(), "squared": NewSquared()} {
		m := joined(Settings{Most: 1, Step: 1, Forgetting: 20000}, loss)
		growTo(m, 12)
		loss.Start([]float64{-3, 0, 1, 4})
		m.decay = .75
		for i := range m.values {
			if i%m.stride >= modelsAt {
				m.values[i] = random.NormFloat64()
			}
		}
		for j := range 12 {
			m.values[j*m.stride+precisionAt] = float64(7 + j%2) // every other one
		}
		var want shared
		for _, precision := range []float64{0, 8} { // not before the first choice
			want.precision, m.prior.shared.precision = precision, precision
			for range 20 {
				row, dense := randomRow(random, 12)
				at := m.NewMargins()
				m.Margins(at, &row)
				label, weight := float64(2*random.IntN(2)-1), 1+random.Float64()
				m.foretell(&row, at, label, weight, loss.Unit())
				if precision == 0 {
					continue
				}
				part := 0.0
				for j := 1; j < 12; j += 2 {
					part += dense[j] * m.Weight(j, nil) / loss.Unit()
				}
				gradient := loss.Gradient(at.Average[0], label)
				curvature := loss.Curvature()
				if curvature == 0 {
					curvature = math.Abs(gradient) * (1 - math.Abs(gradient))
				}
				want.told -= weight * gradient * part
				want.squared += weight * curvature * part * part
			}
		}
		if got := m.prior.shared; got.precision != want.precision || !near(got.told, want.told) || !near(got.squared, want.squared) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestNoPrecisionWithoutAUnit: while all labels are equal, a weight says nothing of its column.
func TestNoPrecisionWithoutAUnit(t *testing.T) {
	e := levelled(t, 10, 10)
	m := New(Settings{Step: 1, Forgetting: 5000}, NewSquared())
	m.Grow(e)
	for range adaptRecords + 1 {
		m.Adapt(e)
	}
	if len(m.prior.precisions) != 0 {
		t.Errorf("%v", m.prior.precisions)
	}
	m.Loss().Start([]float64{1, 2})
	if m.Adapt(e); len(m.prior.precisions) == 0 {
		t.Error("no choice once there is a unit")
	}
}

// TestInUseIsOfTheRecordsThatForgettingLeaves.
func TestInUseIsOfTheRecordsThatForgettingLeaves(t *testing.T) {
	for learnt, want := range map[int]float64{3000: 3000, 9000: 5000} {
		e := levelled(t, 10, 10)
		m := New(Settings{Step: 1, Forgetting: 5000}, NewLogistic())
		m.Grow(e)
		random, margins := rand.New(rand.NewPCG(6, 7)), m.NewMargins()
		for range learnt {
			row, label := coins(random, 10)
			m.Margins(margins, &row)
			m.Step(&row, margins, []float64{0}, label, m.Count(1))
			m.Adapt(e)
		}
		weights, records := m.InUse()
		if records != want {
			t.Errorf("after %d records, %v are in use, want %v", learnt, records, want)
		}
		if !(weights > 5 && weights < 21) {
			t.Errorf("after %d records, %v weights of 21 are in use", learnt, weights)
		}
	}
}

// TestRescalingChangesNoMean: the decay of the averages is folded into what represents them, in the weights and in the products
// with running sums; margins and means stay.
func TestRescalingChangesNoMean(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	m := joined(Settings{Most: 2, Sums: 2, Window: 128, Step: 1, Forgetting: 500}, NewSquared())
	growTo(m, 21)
	m.Loss().Start([]float64{-1, 1, 2, 5})
	margins := m.NewMargins()
	learn := func(records int) {
		for range records {
			row, label := coins(random, 10)
			m.Margins(margins, &row)
			m.Add(random.IntN(4), &row, margins, 1)
			m.Step(&row, margins, []float64{0, .2, -.1}, label, m.Count(1))
		}
	}
	learn(400)
	means := func() (all []float64) {
		for sum := range 4 {
			for model := range 3 {
				all = append(all, m.Mean(sum, model))
			}
		}
		return all
	}
	before := means()
	if m.decay == 1 {
		t.Fatal("nothing is to be folded")
	}
	m.rescale()
	if after := means(); m.decay != 1 || !slices.EqualFunc(before, after, near) {
		t.Errorf("means %v before, %v after; decay %v", before, after, m.decay)
	}
	// And they go on to be the products of the averages with the sums.
	learn(50)
	for sum := range 4 {
		for model := range 3 {
			product := 0.0
			for j := range 21 {
				product += m.values[j*m.stride+m.sumAt(sum)] * m.Weight(j, interpolationTo(model))
			}
			if mean := product * m.sums[sum].scale / m.sums[sum].weight; !near(mean, m.Mean(sum, model)) {
				t.Errorf("sum %d, model %d: the mean is %v, its products are %v", sum, model, m.Mean(sum, model), mean)
			}
		}
	}
}

// interpolationTo are the interpolation weights at which the published weights are those of one model of three.
func interpolationTo(model int) []float64 {
	return [][]float64{{0, 0}, {1, 0}, {0, 1}}[model]
}

// TestInfluenceWhereCurvatureIsFull: as TestInfluenceIsThatOfLeavingOneOut, on a stream many times as long as forgetting: weights that
// records have touched more often than it allows are pulled back by more than their curvature says.
func TestInfluenceWhereCurvatureIsFull(t *testing.T) {
	const records, levels, forgetting = 12_000, 4, 300
	random := rand.New(rand.NewPCG(8, 7))
	rows, labels := make([]features.Row, records), make([]float64, records)
	for i := range rows {
		rows[i], labels[i] = coins(random, levels)
	}
	learn := func(without int) (*Models, []float64) {
		m := New(Settings{Step: 1, Forgetting: forgetting}, NewLogistic())
		growTo(m, 1+2*levels)
		margins, gradients := m.NewMargins(), []float64{}
		for i := range rows {
			m.Margins(margins, &rows[i])
			weight := m.Count(1)
			if i == without {
				weight = 0
			}
			gradients = append(gradients, m.Step(&rows[i], margins, []float64{0}, labels[i], weight)[0])
		}
		return m, gradients
	}
	m, gradients := learn(-1)
	ratio := func(more float64) float64 {
		var influence Influence
		m.Influence(&influence, 0, 0)
		if more >= 0 {
			influence.more = more
		}
		margins, found, foretold := m.NewMargins(), 0.0, 0.0
		for i := records - 600; i < records; i += 12 {
			without, _ := learn(i)
			without.Margins(margins, &rows[i])
			after := margins.Average[0]
			m.Margins(margins, &rows[i])
			own, _ := influence.Of(&rows[i], (float64(i)+.5)/records)
			change := own * gradients[i]
			found += change * (after - margins.Average[0])
			foretold += change * change
		}
		return found / foretold
	}
	as, plain := ratio(-1), ratio(0)
	t.Logf("leaving a record out changes its margin %.3f times as much as foretold, %.3f times without the correction", as, plain)
	if math.Abs(math.Log(as)) >= math.Abs(math.Log(plain)) {
		t.Errorf("the correction for full curvature makes the influence worse: %.3f instead of %.3f", as, plain)
	}
}
