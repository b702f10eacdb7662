package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/adagrad"
	"github.com/fairstream/fairstream/pkg/features"
)

// objective is what a step of one record lowers: weight (½ r² + push r), r the residual in units of the
// spread.
func objective(m *Models, k int, dense, push []float64, target, spread, weight float64) float64 {
	p := 0.0
	for j, x := range dense {
		p += m.values[j*m.stride+modelsAt+2*k] * x
	}
	r := (p - target) / spread
	return weight * (r*r/2 + push[k]*r)
}

// A step on the squared loss is implicit: each weight moves by its step size times the derivative, by finite differences, of the
// objective at the weights it moves to.
func TestStepFollowsTheGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	for range 200 {
		const size = 12
		loss := NewSquared()
		m := joined(Settings{Most: 1, Sums: 2, Window: 256, Step: 1, Forgetting: 20000}, loss)
		growTo(m, size)
		for i := range m.values {
			switch i % m.stride {
			case curvatureAt:
			case precisionAt:
				m.values[i] = 0
			default:
				m.values[i] = .2 * random.NormFloat64() // no residual is bounded
			}
		}
		row, dense := randomRow(random, size)
		target, spread, weight := .5*random.NormFloat64(), .5+2*random.Float64(), .1+3*random.Float64()
		loss.variance = spread * spread
		margins, push := m.NewMargins(), []float64{0, random.NormFloat64()}
		m.Margins(margins, &row)
		before := slices.Clone(m.values)
		square := m.grade(margins, push, target, weight)
		length, _ := m.sizes(&row, square)
		m.imply(push, weight, length)
		m.moveSums(&row, loss.Unit())
		m.move(&row, loss.Unit())
		for k := range m.count {
			for i, j := range row.Index {
				at := int(j)*m.stride + modelsAt + 2*k
				const h = 1e-5
				here := m.values[at]
				m.values[at] = here + h
				up := objective(m, k, dense, push, target, spread, weight)
				m.values[at] = here - h
				down := objective(m, k, dense, push, target, spread, weight)
				m.values[at] = here
				want := -m.steps[i].Size * spread * spread * (up - down) / (2 * h)
				if got := here - before[at]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Fatalf("model %d: weight %d moves by %v and should by %v", k, j, got, want)
				}
			}
		}
	}
}

// However wide a row is, and however large its values are, it moves its own margin by no more than mostMove gradients.
func TestWideRowsMoveTheirMarginLittle(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	for _, size := range []int{2, 20, 200, 5000} {
		for _, loss := range []Loss{NewLogistic(), NewSquared()} {
			m := joined(Settings{Most: 1, Step: 1, Forgetting: 20000}, loss)
			growTo(m, size)
			for j := range size {
				m.values[j*m.stride+precisionAt] = 0 // a prior pulls as far as it has to
			}
			loss.Start([]float64{-1, 1})
			at, after := m.NewMargins(), m.NewMargins()
			for range 100 {
				row := features.Row{}
				for j := range size {
					row.Add(int32(j), 3*random.NormFloat64())
				}
				m.Margins(at, &row)
				gradients := m.Step(&row, at, []float64{0, 0.3}, 2*float64(random.IntN(2))-1, m.Count(1))
				m.Margins(after, &row)
				for k, g := range gradients {
					moved := math.Abs(after.Iterate[k]-at.Iterate[k]) / loss.Unit()
					if moved > mostMove*math.Abs(g)+1e-9 {
						t.Fatalf("%d weights, model %d: a gradient of %v moves the margin by %v", size, k, g, moved)
					}
				}
			}
		}
	}
}

// The gradient of the penalty is its derivative, by finite differences, at the part of the prediction that the
// step moves to, with the followed expectation held.
func TestPenaltyFollowsTheGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	for range 100 {
		m := New(Settings{Step: 1, Forgetting: 20000, Sparsity: random.Float64() / 10}, NewSquared())
		m.memory.Records = 1e300 // what is followed stands still, or nearly
		m.memory.Forgetting = math.Inf(1)
		const size = 6
		growTo(m, size)
		row := features.Row{Index: []int32{1, 3, 4}, Value: []float32{1, float32(random.NormFloat64()), 1}}
		m.steps = []adagrad.Step{{Size: random.Float64()}, {Size: random.Float64()}, {Size: random.Float64()}}
		h, length := 0.0, 0.0
		for i, j := range row.Index {
			m.values[int(j)*m.stride+modelsAt] = random.NormFloat64() / 3
			h += m.values[int(j)*m.stride+modelsAt] * row.At(i)
			length += m.steps[i].Size * row.At(i) * row.At(i)
		}
		v := random.Float64() / 10
		got := m.shrink(&row, 0, 3, 0, 1, &v)
		moved := h - length*got
		// mu √(v + d(h²) + ε²) changes by the chain rule with h² around the moved h.
		penalty := func(h float64) float64 {
			return m.settings.Sparsity * h * h / (2 * math.Sqrt(v+penaltySmoothing*penaltySmoothing))
		}
		const step = 1e-5
		if want := (penalty(moved+step) - penalty(moved-step)) / (2 * step); math.Abs(got-want) > 1e-8 {
			t.Fatalf("the gradient is %v and should be %v", got, want)
		}
	}
}

// A step touches the weights of its row and no others, however many there are.
func TestStepTouchesItsRow(t *testing.T) {
	const size = 5000
	random := rand.New(rand.NewPCG(9, 9))
	m := joined(Settings{Most: 1, Sums: 2, Window: 256, Step: 1, Forgetting: 20000}, NewSquared())
	growTo(m, size)
	m.loss.Start([]float64{-1, 0, 1})
	margins := m.NewMargins()
	for range 200 {
		row, dense := randomRow(random, size)
		before := slices.Clone(m.values)
		m.Margins(margins, &row)
		weight := m.Count(1)
		m.Add(random.IntN(2), &row, margins, weight)
		m.Step(&row, margins, []float64{0, random.NormFloat64()}, random.NormFloat64(), weight)
		for j := range size {
			changed := !slices.Equal(before[j*m.stride:(j+1)*m.stride], m.values[j*m.stride:(j+1)*m.stride])
			if changed != (dense[j] != 0) {
				t.Fatalf("weight %d: changed is %v", j, changed)
			}
		}
	}
}

// growTo makes room for size weights, as Grow does for an encoder's.
func growTo(m *Models, size int) {
	e, err := features.NewFrozen(features.Parts{Size: int32(size)})
	if err != nil {
		panic(err)
	}
	m.Grow(e)
}

// randomRow draws a sparse row with values; some indices come twice.
func randomRow(random *rand.Rand, size int) (row features.Row, dense []float64) {
	dense = make([]float64, size)
	row.Add(0, 1)
	for range 3 + random.IntN(3) {
		x := 1.0
		if random.IntN(2) == 0 {
			x = random.NormFloat64()
		}
		row.Add(int32(1+random.IntN(size-1)), x)
	}
	slices.Sort(row.Index)
	row.Index = slices.Compact(row.Index)
	row.Spell()
	row.Value = row.Value[:len(row.Index)]
	for i, j := range row.Index {
		dense[j] = row.At(i)
	}
	return row, dense
}
