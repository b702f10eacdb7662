package adagrad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPairsHaveTheSameBits: steps taken together are those that are taken one by one, for numbers of all sizes and lists of all lengths.
func TestPairsHaveTheSameBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { return math.Ldexp(1+random.Float64(), random.IntN(600)-300) }
	for range 2000 {
		size := number()
		steps := make([]Step, random.IntN(9))
		for i := range steps {
			steps[i] = Step{Size: number(), Shrink: number(), Curvature: number()}
			if random.IntN(4) == 0 {
				steps[i].Shrink = 0
			}
		}
		single := slices.Clone(steps)
		Take(steps, size)
		for i := range single {
			curvature := single[i].Curvature
			single[i].Take(math.Sqrt(curvature), size)
			if math.Float64bits(single[i].Size) != math.Float64bits(steps[i].Size) || math.Float64bits(single[i].Shrink) != math.Float64bits(steps[i].Shrink) || steps[i].Curvature != curvature {
				t.Fatalf("step %d of %d: %v, and alone %v", i, len(steps), steps[i], single[i])
			}
		}
	}
}

// TestStepIsImplicitInItsPull: w' = (w − taken·Size·g)/(1 + pull) solved for the share that is taken away, by hand for one step.
func TestStepIsImplicitInItsPull(t *testing.T) {
	s := Step{Size: 8, Shrink: 3, Curvature: 4} // root 2: taken = 0.5/(16 + 1.5)
	Take([]Step{s}, .5)
	s.Take(2, .5)
	if taken := .5 / 17.5; s != (Step{Size: taken * 4, Shrink: taken * 3, Curvature: 4}) {
		t.Errorf("%+v", s)
	}
}

func BenchmarkTake(b *testing.B) {
	steps := make([]Step, 22)
	for b.Loop() {
		for i := range steps {
			steps[i] = Step{Size: 3, Shrink: .1, Curvature: 3}
		}
		Take(steps, .1)
	}
}

func BenchmarkOneByOne(b *testing.B) {
	steps := make([]Step, 22)
	for b.Loop() {
		for i := range steps {
			steps[i] = Step{Size: 3, Shrink: .1, Curvature: 3}
		}
		for i := range steps {
			steps[i].Take(math.Sqrt(steps[i].Curvature), .1)
		}
	}
}
