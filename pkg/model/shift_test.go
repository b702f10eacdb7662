package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// twoGroups returns a learner's adaptive part and its windows, filled with records whose groups differ in the
// share of positive labels and in nothing else, so that no pressure helps and keeps the signal.
func twoGroups(t *testing.T, random *rand.Rand, constraints int) (*adaptive, [][2]*window) {
	t.Helper()
	config := DefaultLearner()
	var comparisons []fairness.Comparison
	var names []surrogate.Name
	var enforced []int
	for k := range constraints {
		comparisons, names, enforced = append(comparisons, fairness.Comparison{Tau: .05}), append(names, surrogate.Approximation1), append(enforced, k)
	}
	a, err := newAdaptive(config, enforced, comparisons, names)
	if err != nil {
		t.Fatal(err)
	}
	windows := make([][2]*window, constraints)
	for k := range windows {
		windows[k] = [2]*window{newWindow(2000, a.models), newWindow(2000, a.models)}
	}
	for range 1500 {
		positive := random.IntN(2) == 0
		label := -1.0
		if positive {
			label = 1
		}
		margins := []float64{label + random.NormFloat64()}
		for range constraints {
			margins = append(margins, margins[0]*(1-2*random.Float64()))
		}
		row := &Row{Index: []int32{0}, Value: []float64{1}}
		weight := .5 + random.Float64()
		a.everyone.push(row, margins, make([]float64, len(margins)), weight, margins[0] > 0, positive)
		for k := range windows {
			side := 0
			if random.Float64() < .5+.3*label {
				side = 1
			}
			windows[k][side].push(row, margins, make([]float64, len(margins)), weight, margins[0] > 0, positive)
		}
	}
	for k := range a.pressures {
		a.pressures[k].value = random.Float64()
	}
	return a, windows
}

// plainShift tries every factor and every threshold, one record after the other.
func plainShift(a *adaptive, windows [][2]*window) (factor, shift, least float64) {
	least = math.Inf(1)
	for _, candidate := range factors {
		a.shifting.cut(a, candidate)
		cuts := append([]float64(nil), a.shifting.cuts...)
		for _, cut := range cuts {
			fair := true
			for k, sides := range windows {
				var rates [2]float64
				for i, w := range sides {
					total := 0.0
					for age := range w.steady {
						at := w.slot(age)
						total += float64(w.weights[at])
						if plainMargin(a, w, at, candidate)-cut > 0 {
							rates[i] += float64(w.weights[at])
						}
					}
					rates[i] /= total
				}
				fair = fair && math.Abs(rates[0]-rates[1]) <= a.pressures[k].target()+1e-12
			}
			wrong, total := 0.0, 0.0
			for at, weight := range a.everyone.weights {
				total += float64(weight)
				if (plainMargin(a, a.everyone, at, candidate)-cut > 0) != a.everyone.positive[at] {
					wrong += float64(weight)
				}
			}
			if fair && wrong/total < least-1e-12 {
				factor, shift, least = candidate, -cut, wrong/total
			}
		}
	}
	return factor, shift, least
}

func plainMargin(a *adaptive, w *window, at int, factor float64) float64 {
	free := float64(w.margins[at*w.models])
	margin := free
	for k := range a.pressures {
		margin += factor * a.pressures[k].value * (float64(w.margins[at*w.models+1+k]) - free)
	}
	return margin
}

func TestShiftIsTheBestOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for trial := range 12 {
		a, windows := twoGroups(t, random, 1+trial%3)
		factor, shift, least := a.shifting.search(a, windows)
		wantFactor, wantShift, wantLeast := plainShift(a, windows)
		if factor != wantFactor || shift != wantShift || math.Abs(least-wantLeast) > 1e-12 {
			t.Errorf("trial %d: factor %v, shift %v with error %v; should be %v, %v with %v", trial, factor, shift, least, wantFactor, wantShift, wantLeast)
		}
		if shift == 0 {
			t.Errorf("trial %d: no shift was needed", trial)
		}
	}
}

// The shift is looked for when a pressure is out of reach or costs too much, and left alone otherwise.
func TestShiftOnlyWhereItIsNeeded(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	a, windows := twoGroups(t, random, 1)
	a.pressures[0].value = 0
	if a.settleShift(windows, false); a.shift != 0 || a.constant || a.collapse() != fairness.NoCollapse {
		t.Errorf("without trouble the shift is %v", a.shift)
	}
	if a.settleShift(windows, true); a.shift == 0 || a.constant {
		t.Errorf("with a constraint out of reach the shift is %v, constant %t", a.shift, a.constant)
	}
	a.pressures[0].value = 1.4 // turns the model around: half of its worth is lost
	if a.settleShift(windows, false); a.shift == 0 {
		t.Error("a pressure that costs too much is left alone")
	}
	// If the label is the group, only constant decisions are fair.
	for i, w := range windows[0] {
		for at := range w.margins {
			w.margins[at] = float32(10 - 20*i)
		}
	}
	for at := range a.everyone.positive {
		margin := float32(10)
		if !a.everyone.positive[at] {
			margin = -10
		}
		a.everyone.margins[2*at], a.everyone.margins[2*at+1] = margin, margin
	}
	if a.settleShift(windows, true); !a.constant || a.collapse() != fairness.ConstantDecision {
		t.Error("decisions that can only be constant are not called so")
	}
	// Too few records to tell.
	a, windows = twoGroups(t, random, 1)
	a.everyone = newWindow(everyoneRecords, a.models)
	if a.settleShift(windows, true); a.shift != 0 || a.collapse() != fairness.CollapseNotEstimable {
		t.Error("a shift is chosen without records")
	}
}

// Mirroring a pressed model, and its pressure with it, changes no decision.
func TestMirrorChangesNoDecision(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	a, windows := twoGroups(t, random, 2)
	a.grow(30)
	a.decay = .3
	for i := range a.values {
		a.values[i] = random.NormFloat64()
	}
	before := make([]float64, 30)
	fill(before, a.weight)
	w := windows[1][0]
	for i := range w.gradients {
		w.gradients[i] = float32(random.NormFloat64())
	}
	margins, gradients := slices.Clone(w.margins), slices.Clone(w.gradients)
	a.mirror(1, windows)
	after := make([]float64, 30)
	fill(after, a.weight)
	for j := range before {
		if math.Abs(before[j]-after[j]) > 1e-12 {
			t.Fatalf("weight %d was %v and is %v", j, before[j], after[j])
		}
	}
	for at := 0; at < len(margins); at += 3 {
		for _, of := range []struct{ before, now []float32 }{{margins[at : at+3], w.margins[at : at+3]}, {gradients[at : at+3], w.gradients[at : at+3]}} {
			if of.now[0] != of.before[0] || of.now[1] != of.before[1] || of.now[2] != 2*of.before[0]-of.before[2] {
				t.Fatalf("%v became %v", of.before, of.now)
			}
		}
	}
}

// A learner says so when neither the sampling error nor what unseen records showed fits into tau.
func TestImpreciseIsReported(t *testing.T) {
	tau := .05
	most := (1 - leastTarget) * tau
	for _, c := range []struct {
		theta, optimism float64
		status          fairness.Status
		want            int
	}{
		{most, tau, fairness.Violated, 1},
		{.99 * most, tau, fairness.Violated, 0},
		{most, .049, fairness.Violated, 0},
		{most, tau, fairness.Inconclusive, 0},
	} {
		estimates := []fairness.Estimate{{Name: "a", Tau: .1, Status: fairness.Violated}, {Name: "b", Tau: tau, Status: c.status}}
		found := imprecise([]document.Control{{Name: "b", Theta: c.theta, Optimism: c.optimism}}, estimates)
		if len(found) != c.want || c.want == 1 && (found[0].Code != document.Imprecise || found[0].Constraint != "b") {
			t.Errorf("%+v: %+v", c, found)
		}
	}
}
