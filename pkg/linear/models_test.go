package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
)

// coins are rows of ones with labels that depend on the first column.
func coins(random *rand.Rand, levels int) (row features.Row, label float64) {
	level := random.IntN(levels)
	row.Index = []int32{0, int32(1 + level), int32(1 + levels + random.IntN(levels))}
	label = -1
	if random.Float64() < float64(level+1)/float64(levels+1) {
		label = 1
	}
	return row, label
}

// The short way of two models gives, bit for bit, what the general one does, for rows of ones and for others.
func TestTheShortWayIsTheLongOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	short := joined(Settings{Most: 1, Step: 1, Regularization: 1e-3, Forgetting: 1000}, NewLogistic())
	long := joined(Settings{Most: 1, Step: 1, Regularization: 1e-3, Forgetting: 1000}, NewLogistic())
	growTo(short, 41)
	growTo(long, 41)
	a, b := short.NewMargins(), long.NewMargins()
	for record := range 3000 {
		row, label := coins(random, 20)
		spelt := features.Row{Index: row.Index, Value: []float32{1, 1, 1}}
		if record%2 == 1 {
			spelt.Value[2] = float32(random.NormFloat64())
			row = spelt
		}
		push := []float64{0, random.NormFloat64()}
		short.Margins(a, &row)
		long.allMargins(b, &spelt)
		short.Step(&row, a, push, label, short.Count(1))
		weight := long.Count(1)
		long.loss.Observe(label, weight, &long.memory)
		length, _ := long.sizes(&spelt, long.grade(b, push, label, weight))
		long.imply(push, weight, length)
		long.moveAll(&spelt, 1)
		long.decay = short.decay
		if !slices.Equal(a.Average, b.Average) || !slices.Equal(a.lag, b.lag) || !slices.Equal(short.values, long.values) {
			t.Fatalf("record %d: the two ways part", record)
		}
	}
}

// Averages are what an average that is kept for every weight would be.
func TestAveragesAreThoseOfTheIterates(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 7))
	m := joined(Settings{Most: 1, Step: 1, Forgetting: 1000}, NewLogistic())
	growTo(m, 21)
	margins := m.NewMargins()
	average := make([]float64, 21)
	for record := range 2000 {
		row, label := coins(random, 10)
		m.Margins(margins, &row)
		want := 0.0
		for _, j := range row.Index {
			want += average[j]
		}
		if math.Abs(margins.Average[0]-want) > 1e-9 {
			t.Fatalf("record %d: the average margin is %v and should be %v", record, margins.Average[0], want)
		}
		m.Step(&row, margins, []float64{0, .1}, label, m.Count(1))
		fade := max(1/500., 1/(1+float64(record+1)/4))
		for j := range average {
			average[j] += fade * (m.values[j*m.stride+modelsAt] - average[j])
		}
		if record == 700 {
			m.rescale() // changes the representation, not what it stands for
		}
	}
}

// The influence of a record on its own margin is what learning once more without it shows, summed over records of all
// ages: under the free model, and under one that is pushed to a hinge, by little or by much. A column tells of the sides.
func TestInfluenceIsThatOfLeavingOneOut(t *testing.T) {
	for _, multiplier := range []float64{0, .5, 1, 1.5, 3} {
		found, foretold := influences(multiplier)
		for k := range found {
			ratio := found[k] / foretold[k]
			t.Logf("multiplier %v, model %d: leaving a record out changes its margin %.2f times as much as foretold", multiplier, k, ratio)
			if !(ratio > .6 && ratio < 2.1) {
				t.Errorf("multiplier %v, model %d: leaving a record out changes its margin %.2f times as much as foretold", multiplier, k, ratio)
			}
		}
	}
}

// influences are sums over records, by model: of what leaving a record out changes, along what is foretold, and of the square of that.
func influences(multiplier float64) (found, foretold [2]float64) {
	const records, levels, hinge, near = 2000, 10, 2, .5
	random := rand.New(rand.NewPCG(3, 7))
	rows, labels, pushes := make([]features.Row, records), make([]float64, records), make([]float64, records)
	for i := range rows {
		rows[i], labels[i] = coins(random, levels)
		pushes[i] = multiplier
		if random.Float64() < float64(rows[i].Index[1])/(levels+1) {
			pushes[i] = -multiplier
		}
	}
	curvature, square := 0.0, 0.0
	learn := func(without int) (*Models, [][]float64) {
		m := New(Settings{Most: 1, Step: 1, Forgetting: 20000}, NewLogistic())
		growTo(m, 1+2*levels)
		m.Join()
		margins, gradients := m.NewMargins(), [][]float64{}
		curvature, square = 0, 0
		for i := range rows {
			m.Margins(margins, &rows[i])
			weight := m.Count(1)
			if i == without {
				weight = 0
			}
			z, push := margins.Iterate[1], pushes[i]
			if math.Abs(z+math.Copysign(hinge, push)) < near {
				curvature += multiplier / (2 * near) / records
			}
			if z*math.Copysign(1, push) < -hinge {
				push = 0 // pushed far enough
			}
			curvature += 1 / (2 + math.Exp(z) + math.Exp(-z)) / records
			square += push * push / records
			gradients = append(gradients, slices.Clone(m.Step(&rows[i], margins, []float64{0, push}, labels[i], weight)))
		}
		return m, gradients
	}
	m, gradients := learn(-1)
	var influence Influence
	m.Influence(&influence, curvature, square/2)
	margins := m.NewMargins()
	for i := 20; i < records; i += 25 {
		without, _ := learn(i)
		without.Margins(margins, &rows[i])
		after := slices.Clone(margins.Average)
		m.Margins(margins, &rows[i])
		var own [2]float64
		own[0], own[1] = influence.Of(&rows[i], (float64(i)+.5)/records)
		for k := range found {
			change := own[k] * gradients[i][k]
			found[k] += change * (after[k] - margins.Average[k])
			foretold[k] += change * change
		}
	}
	return found, foretold
}

// A column of noise is drawn to 0 much more strongly than one that tells, and every weight has the precision of its
// group.
func TestThePriorTellsNoise(t *testing.T) {
	const levels = 10
	columns := []features.Column{{Name: "signal", Kind: features.Levelled}, {Name: "noise", Kind: features.Levelled}}
	parts := features.Parts{Columns: columns, Size: 1 + 2*levels}
	for j := range 2 * levels {
		slot := features.ColumnSlot(j / levels)
		parts.Levels = append(parts.Levels, features.Level{Slot: slot, Weight: int32(1 + j), Key: uint64(1000 + j)})
	}
	e, err := features.NewFrozen(parts)
	if err != nil {
		t.Fatal(err)
	}
	for name, loss := range map[string]Loss{"logistic": NewLogistic(), "squared": NewSquared()} {
		m := New(Settings{Step: 1, Forgetting: 20000}, loss)
		m.Grow(e)
		loss.Start([]float64{-1, 1, -1, 1})
		random := rand.New(rand.NewPCG(4, 7))
		margins := m.NewMargins()
		for range 20000 {
			row, label := coins(random, levels)
			m.Margins(margins, &row)
			m.Step(&row, margins, []float64{0}, label, m.Count(1))
			m.Adapt(e)
		}
		signal, noise := m.values[1*m.stride+precisionAt], m.values[(1+levels)*m.stride+precisionAt]
		if !(noise > 5*signal) {
			t.Errorf("%s loss: the precision is %.2f for the signal, %.2f for noise", name, signal, noise)
		}
		for j := 1; j <= levels; j++ {
			if m.values[j*m.stride+precisionAt] != signal {
				t.Errorf("%s loss: level %d has another precision", name, j)
			}
		}
		if m.values[precisionAt] != 0 {
			t.Errorf("%s loss: the intercept has a prior", name)
		}
	}
}

// A decision against a record's label has a derivative, by finite differences, of the loss.
func TestGradientsAreDerivatives(t *testing.T) {
	squared := NewSquared()
	squared.Start([]float64{8, 10, 12, 13})
	random := rand.New(rand.NewPCG(5, 7))
	for range 200 {
		margin := 2 * random.NormFloat64()
		label := float64(2*random.IntN(2) - 1)
		const h = 1e-6
		logistic := func(z float64) float64 { return math.Log1p(math.Exp(-label * z)) }
		if got, want := NewLogistic().Gradient(margin, label), (logistic(margin+h)-logistic(margin-h))/(2*h); math.Abs(got-want) > 1e-8 {
			t.Fatalf("logistic: %v, should be %v", got, want)
		}
		y, spread := 10+margin, squared.Spread()
		square := func(z float64) float64 { return math.Pow(z-(y-squared.Centre()), 2) / 2 }
		if got, want := squared.Gradient(margin, y), (square(margin+h)-square(margin-h))/(2*h*spread); math.Abs(got-want) > 1e-8 {
			t.Fatalf("squared: %v, should be %v", got, want)
		}
	}
}

// TestNormsAreOfThePenalty: without it none are kept, nor saved.
func TestNormsAreOfThePenalty(t *testing.T) {
	e := levelled(t, 2, 3)
	for sparsity, want := range map[float64]int{0: 0, .1: 3} {
		m := New(Settings{Step: 1, Forgetting: 100, Sparsity: sparsity}, NewSquared())
		if m.Grow(e); len(m.norms) != want {
			t.Errorf("with a penalty of %v there are %d norms, want %d", sparsity, len(m.norms), want)
		}
	}
}
