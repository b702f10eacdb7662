package control

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// twoGroups returns a control whose windows are filled with records whose groups differ in the
// share of positive labels and in nothing else, so that no interpolation helps and keeps the signal.
func twoGroups(t *testing.T, random *rand.Rand, constraints int) *Rates {
	t.Helper()
	var comparisons []fairness.Comparison
	var names []surrogate.Name
	for range constraints {
		comparisons, names = append(comparisons, fairness.Comparison{Tau: .05, Enforce: true}), append(names, surrogate.Approximation1)
	}
	models := linear.New(linear.Settings{Most: constraints, Step: 1, Forgetting: 20000}, linear.NewLogistic())
	r, err := NewRates(Settings{Aim: NewAim(.95, constraints, 10000, .95), Window: 2000, Minimum: 30, Forgetting: 20000}, comparisons, names, models)
	if err != nil {
		t.Fatal(err)
	}
	for k := range constraints {
		r.enter(k)
	}
	for i := range 1500 {
		positive := random.IntN(2) == 0
		label := -1.0
		if positive {
			label = 1
		}
		margins := []float64{label + random.NormFloat64()}
		for range constraints {
			margins = append(margins, margins[0]*(1-2*random.Float64()))
		}
		weight := .5 + random.Float64()
		gradients := make([]float64, len(margins))
		slot := r.memory.add(recordOf(margins, weight, positive), gradients, float64(i+1))
		r.everyone.push(slot, float32(weight))
		for k := range r.windows {
			side := 0
			if random.Float64() < .5+.3*label {
				side = 1
			}
			r.windows[k][side].push(slot, float32(weight))
		}
	}
	for k := range r.interpolation {
		r.interpolation[k] = random.Float64()
	}
	return r
}

// plainShift tries every factor and every threshold, one record after the other.
func plainShift(r *Rates) (factor, shift, least float64) {
	least = math.Inf(1)
	for _, candidate := range factors {
		r.threshold.cut(r.everyone, candidate, r.interpolation)
		cuts := append([]float64(nil), r.threshold.cuts...)
		for _, cut := range cuts {
			fair := true
			for k, sides := range r.windows {
				var rates [2]float64
				for i, w := range sides {
					total := 0.0
					for age := range w.steady {
						at, weight := w.slot(age)
						total += weight
						if plainMargin(r, at, candidate)-cut > 0 {
							rates[i] += weight
						}
					}
					rates[i] /= total
				}
				fair = fair && math.Abs(rates[0]-rates[1]) <= r.constraints[k].target()+1e-12
			}
			wrong, total := 0.0, 0.0
			for i, at := range r.everyone.slots {
				weight := float64(r.everyone.weights[i])
				total += weight
				if (plainMargin(r, int(at), candidate)-cut > 0) != r.memory.positive[at] {
					wrong += weight
				}
			}
			if fair && wrong/total < least-1e-12 {
				factor, shift, least = candidate, -cut, wrong/total
			}
		}
	}
	return factor, shift, least
}

func plainMargin(r *Rates, at int, factor float64) float64 {
	margins := r.memory.at(at)
	free := float64(margins[0])
	margin := free
	for k := range r.interpolation {
		margin += factor * r.interpolation[k] * (float64(margins[1+k]) - free)
	}
	return margin
}

func TestTheThresholdIsTheBestOfAll(t *testing.T) {
	trials := 12
	if testing.Short() {
		trials = 3
	}
	random := rand.New(rand.NewPCG(8, 8))
	for trial := range trials {
		r := twoGroups(t, random, 1+trial%3)
		var bounds []bound
		for k, sides := range r.windows {
			bounds = append(bounds, bound{sides, r.constraints[k].target(), r.constraints[k].measure})
		}
		found := r.threshold.find(r.everyone, r.interpolation, bounds)
		factor, shift, least := found.factor, found.shift, found.error
		wantFactor, wantShift, wantLeast := plainShift(r)
		if factor != wantFactor || shift != wantShift || math.Abs(least-wantLeast) > 1e-12 {
			t.Errorf("trial %d: factor %v, shift %v with error %v; should be %v, %v with %v", trial, factor, shift, least, wantFactor, wantShift, wantLeast)
		}
		if shift == 0 {
			t.Errorf("trial %d: no shift was needed", trial)
		}
	}
}

// The shift is looked for when a target is out of reach or costs too much, and left alone otherwise.
func TestAThresholdOnlyWhereItIsNeeded(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	r := twoGroups(t, random, 1)
	r.interpolation[0] = 0
	if r.chooseShift(false); r.shift != 0 || r.constant || r.Collapse() != fairness.NoCollapse {
		t.Errorf("without trouble the shift is %v", r.shift)
	}
	if r.chooseShift(true); r.shift == 0 || r.constant {
		t.Errorf("with a constraint out of reach the shift is %v, constant %t", r.shift, r.constant)
	}
	r.interpolation[0] = 1.4 // turns the model around: half of its worth is lost
	if r.chooseShift(false); r.shift == 0 {
		t.Error("an interpolation that costs too much is left alone")
	}
	// Where the interval of each constraint is too wide to bound anything, the unconstrained model would have the least error.
	for _, trouble := range []bool{true, false} {
		r.interpolation[0], r.constraints[0].half = 1.4, 2*mostHalf*r.constraints[0].tau
		if r.chooseShift(trouble); r.interpolation[0] != 1.4 || r.shift != 0 || r.constant {
			t.Errorf("without a bound the interpolation is %v and the shift %v", r.interpolation[0], r.shift)
		}
	}
	r.constraints[0].half = 0
	// If the label is the group, only constant decisions are fair.
	for i, w := range r.windows[0] {
		for _, at := range w.slots {
			r.memory.positive[at] = i == 0
			margins := r.memory.at(int(at))
			margins[0], margins[1] = float32(10-20*i), float32(10-20*i)
		}
	}
	if r.chooseShift(true); !r.constant || r.Collapse() != fairness.ConstantDecision {
		t.Error("decisions that can only be constant are not called so")
	}
	// Too few records to tell.
	r = twoGroups(t, random, 1)
	r.everyone = newWindow(everyoneRecords, newMemory())
	if r.chooseShift(true); r.shift != 0 || r.Collapse() != fairness.CollapseNotEstimable {
		t.Error("a shift is chosen without records")
	}
}
