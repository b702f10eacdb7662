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
