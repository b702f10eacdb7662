package adagrad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// row is a random row over so many weights, some of which come twice.
func row(random *rand.Rand, weights int) (r Row) {
	for range random.IntN(9) {
		r.Index = append(r.Index, int32(random.IntN(weights)))
		if random.IntN(3) == 0 && len(r.Index) > 1 {
			r.Index[len(r.Index)-1] = r.Index[len(r.Index)-2]
		}
	}
	if random.IntN(2) == 0 {
		for range r.Index {
			r.Value = append(r.Value, float32(random.NormFloat64()))
		}
	}
	return r
}

// TestPairsHaveTheSameBits: steps taken together are those that are taken one by one, for numbers of all sizes, rows of all lengths, and weights
// that come twice in a row.
func TestPairsHaveTheSameBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { return math.Ldexp(1+random.Float64(), random.IntN(100)-50) }
	for range 20_000 {
		w := Weights{Stride: 2 + random.IntN(4)}
		for range 12 * w.Stride {
			w.Values = append(w.Values, number())
		}
		r := row(random, 12)
		rule := Rule{Size: number(), Square: number(), Keep: 1 - random.Float64()/8, Start: number(), Noise: number(), Regularization: float64(random.IntN(2)) * number()}
		alone := Weights{Values: slices.Clone(w.Values), Stride: w.Stride}
		together, single := make([]Step, len(r.Index)), make([]Step, len(r.Index))
		length, sum := rule.Take(together, &w, r), 0.0
		for i := range single {
			sum += rule.one(&single[i], &alone, r, i)
		}
		if length != sum || !slices.Equal(together, single) || !slices.Equal(w.Values, alone.Values) {
			t.Fatalf("row %+v: length %v of %v, and one by one %v of %v", r, length, together, sum, single)
		}
	}
}

// TestTwoModelsMoveAsOneByOne: the same bits, for numbers of all sizes, rows of all lengths, weights that come twice in a row, and models that begin anywhere.
func TestTwoModelsMoveAsOneByOne(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	number := func() float64 { return math.Ldexp(random.Float64()-.5, random.IntN(100)-50) }
	for range 20_000 {
		two := Two{Gradient: [2]float64{number(), number()}, PerDecay: number(), At: random.IntN(3)}
		w := Weights{Stride: two.At + numbersOfTwo + random.IntN(3)}
		for range 12 * w.Stride {
			w.Values = append(w.Values, number())
		}
		r := row(random, 12)
		alone := Weights{Values: slices.Clone(w.Values), Stride: w.Stride}
		steps := make([]Step, len(r.Index))
		for i := range steps {
			steps[i] = Step{Size: number(), Shrink: number()}
		}
		two.Move(steps, &w, r)
		for i := range steps {
			two.one(&steps[i], &alone, r, i)
		}
		if !slices.Equal(w.Values, alone.Values) {
			t.Fatalf("row %+v: %v, and one by one %v", r, w.Values, alone.Values)
		}
	}
}

// TestTwoModelsMoveByTheirGradients: by hand, of the second of three weights.
func TestTwoModelsMoveByTheirGradients(t *testing.T) {
	w := Weights{Values: []float64{1, 1, 1, 1, 1, 7, 2, 3, 4, 5, 1, 1, 1, 1, 1}, Stride: 5}
	two := Two{Gradient: [2]float64{.5, -1}, PerDecay: 2, At: 1}
	two.Move([]Step{{Size: .25, Shrink: .125}}, &w, Row{Index: []int32{1}, Value: []float32{8}})
	const first, second = .25*.5*8 + .125*2, .25*-1*8 + .125*4
	if want := []float64{7, 2 - first, 3 - 2*first, 4 - second, 5 - 2*second}; !slices.Equal(w.Values[5:10], want) || w.Values[4] != 1 || w.Values[10] != 1 {
		t.Errorf("%v, not %v", w.Values, want)
	}
}

// TestStepIsImplicitInItsPull: w' = (w − step·g)/(1 + pull) solved for the share that is taken away, by hand for one weight, with and without AdaGrad.
func TestStepIsImplicitInItsPull(t *testing.T) {
	rule := Rule{Size: .5, Square: 2, Keep: .75, Start: 5, Noise: 2, Regularization: .125}
	r := Row{Index: []int32{1}, Value: []float32{3}}
	const information, curvature = 2 * 9., 4*.75 + 18
	const slowed, pull = curvature + 4*(7-5), .125*curvature + 2*7*information
	for _, root := range []float64{0, 3} {
		w := Weights{Values: []float64{1, 1, 1, 4, 7, 1}, Stride: 3}
		steps := make([]Step, 1)
		rule.Root = root
		length := rule.Take(steps, &w, r)
		if root == 0 {
			root = math.Sqrt(curvature)
		}
		taken := .5 / (root*slowed + .5*pull)
		if want := (Step{Size: taken * curvature, Shrink: taken * pull, Curvature: curvature}); steps[0] != want || length != want.Size*9 || w.Values[3] != curvature || w.Values[4] != 7 {
			t.Errorf("%+v, not %+v; length %v, %v", steps[0], want, length, w.Values)
		}
	}
}

// TestWeightThatDoesNotExist: an index beyond the weights is one beyond a slice.
func TestWeightThatDoesNotExist(t *testing.T) {
	for _, index := range [][]int32{{0, 1, 2, 3}, {0, -1}, {4}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("steps of the weights %v, of which there are 3, were taken", index)
				}
			}()
			rule := Rule{Size: 1, Square: 1, Keep: 1}
			rule.Take(make([]Step, len(index)), &Weights{Values: make([]float64, 6), Stride: 2}, Row{Index: index})
		}()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("models moved by the weights %v, of which there are 3", index)
				}
			}()
			two := Two{At: 1}
			two.Move(make([]Step, len(index)), &Weights{Values: make([]float64, 15), Stride: 5}, Row{Index: index})
		}()
	}
}

func benchmark(b *testing.B, take func(*Rule, []Step, *Weights, Row)) {
	rule := Rule{Size: .1, Square: .1, Keep: 1 - 1e-5, Start: 5, Noise: 1}
	w, r := Weights{Values: make([]float64, 6*500), Stride: 6}, Row{}
	for i := range w.Values {
		w.Values[i] = 5
	}
	for i := range 22 {
		r.Index, r.Value = append(r.Index, int32(i*21)), append(r.Value, 1)
	}
	steps := make([]Step, len(r.Index))
	for b.Loop() {
		take(&rule, steps, &w, r)
	}
}

func BenchmarkTake(b *testing.B) {
	benchmark(b, func(rule *Rule, steps []Step, w *Weights, r Row) { rule.Take(steps, w, r) })
}

func BenchmarkOneByOne(b *testing.B) {
	benchmark(b, func(rule *Rule, steps []Step, w *Weights, r Row) {
		for i := range steps {
			rule.one(&steps[i], w, r, i)
		}
	})
}

func benchmarkMove(b *testing.B, move func(*Two, []Step, *Weights, Row)) {
	two := Two{Gradient: [2]float64{.1, .2}, PerDecay: 1.1, At: 2}
	w, r := Weights{Values: make([]float64, 6*500), Stride: 6}, Row{}
	for i := range 22 {
		r.Index, r.Value = append(r.Index, int32(i*21)), append(r.Value, 1)
	}
	steps := make([]Step, len(r.Index))
	for i := range steps {
		steps[i] = Step{Size: .1, Shrink: .001}
	}
	for b.Loop() {
		move(&two, steps, &w, r)
	}
}

func BenchmarkMove(b *testing.B) { benchmarkMove(b, (*Two).Move) }

func BenchmarkMoveOneByOne(b *testing.B) {
	benchmarkMove(b, func(two *Two, steps []Step, w *Weights, r Row) {
		for i := range steps {
			two.one(&steps[i], w, r, i)
		}
	})
}
