package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Each side keeps its weight in a comparison within strata, whatever its share, and in each stratum both sides weigh in the
// same proportion: also after the counts have faded, strata being of different sizes.
func TestStrataKeepTheWeightOfEachSide(t *testing.T) {
	const strataCount, records, counted = 6, 60_000, 30_000
	s := newStrata([]fairness.Comparison{{Strata: "region"}}, 2000)
	random := rand.New(rand.NewPCG(1, 1))
	factors, sides, at := make([]float64, 1), make([]fairness.Side, 1), make([]int, 1)
	var sums [strataCount][2]float64
	var weights, numbers [2]float64
	for i := range records {
		at[0] = min(strataCount-1, int(random.ExpFloat64()))
		side := 0
		if sides[0] = fairness.Group; random.Float64() < .04+.02*float64(at[0]) {
			side, sides[0] = 1, fairness.Versus
		}
		s.observe(factors, sides, at, 1)
		if i >= records-counted {
			sums[at[0]][side] += factors[0]
			weights[side] += factors[0]
			numbers[side]++
		}
	}
	for side := range weights {
		if mean := weights[side] / numbers[side]; math.Abs(mean-1) > .03 {
			t.Errorf("side %d has factors of %.3f in the mean, not 1", side, mean)
		}
	}
	for stratum, sum := range sums {
		group, versus := sum[0]/weights[0], sum[1]/weights[1]
		if math.Abs(group-versus) > .02 {
			t.Errorf("stratum %d has %.3f of the group's weight and %.3f of versus'", stratum, group, versus)
		}
	}
}

// A record of a stratum that has none of the other side compares with nothing.
func TestAStratumOfOneSideHasNoWeight(t *testing.T) {
	s := newStrata([]fairness.Comparison{{Strata: "region"}}, 2000)
	factors := make([]float64, 1)
	for i := range 100 {
		s.observe(factors, []fairness.Side{fairness.Group}, []int{i % 2}, 1)
		if factors[0] != leastFactor {
			t.Fatalf("before any of the other side: %v", factors[0])
		}
	}
	s.observe(factors, []fairness.Side{fairness.Versus}, []int{0}, 1)
	s.observe(factors, []fairness.Side{fairness.Group}, []int{1}, 1)
	if factors[0] != leastFactor {
		t.Errorf("in a stratum without any: %v", factors[0])
	}
}
