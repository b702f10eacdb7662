package control

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestALeavingModelTakesNoOthersPlace: whichever comparison of four leaves, the others keep their interpolation weights, and each
// has the model that is its own: the index that pkg/linear gives it once later models have moved up.
func TestALeavingModelTakesNoOthersPlace(t *testing.T) {
	for at := range 4 {
		r := comparisonsOf(t, 4)
		for k := range r.constraints {
			r.windows[k][0].steady, r.windows[k][1].steady = 0, 0 // there is nothing to rehearse
			r.enter(k)
			r.interpolation[k] = float64(k + 1)
		}
		r.leave(at)
		stays := slices.Delete([]int{0, 1, 2, 3}, at, at+1)
		if !slices.Equal(r.active, stays) {
			t.Fatalf("%d left: active are %v", at, r.active)
		}
		for i, k := range stays {
			if c := r.constraints[k]; c.model != i+1 || r.interpolation[c.model-1] != float64(k+1) {
				t.Errorf("%d left: comparison %d has model %d, want %d, and the interpolation weights %v", at, k, c.model, i+1, r.interpolation)
			}
		}
		if c := r.constraints[at]; c.model != 0 || c.pressing || len(r.interpolation) != 3 {
			t.Errorf("%d left: it has model %d, pressing %t, and %d interpolation weights remain", at, c.model, c.pressing, len(r.interpolation))
		}
		// One that comes back is the last.
		if r.enter(at); r.constraints[at].model != 4 || r.interpolation[3] != 0 {
			t.Errorf("%d came back as model %d at %v", at, r.constraints[at].model, r.interpolation)
		}
	}
}

// TestRememberedRecordsComeInProportion: for each record of the side that is there, the other side is recalled as often as it comes at other
// times: of shares of a quarter and three quarters, a third of a record, and three records.
func TestRememberedRecordsComeInProportion(t *testing.T) {
	for present, on := range []fairness.Side{fairness.Group, fairness.Versus} {
		var b balance
		const records = 3000
		recalled := [2]int{}
		for range records {
			due := b.observe(on, shares{.25, .75})
			recalled[0], recalled[1] = recalled[0]+due[0], recalled[1]+due[1]
		}
		want := []float64{3, 1. / 3}[present]
		if got := float64(recalled[1-present]) / records; math.Abs(got/want-1) > .01 || recalled[present] != 0 {
			t.Errorf("%.3f of the missing side are recalled for each record, want %.3f; of the other %d", got, want, recalled[present])
		}
	}
}

// TestATrackedRateIsThatOfTheShiftedDecisions: the ascent goes on from what the shifted model decides in the windows.
func TestATrackedRateIsThatOfTheShiftedDecisions(t *testing.T) {
	r := twoGroups(t, rand.New(rand.NewPCG(12, 9)), 2)
	for k := range r.tracked {
		r.tracked[k] = tracked{frequency: [2]float64{.5, .5}, positive: [2]float64{.5, 0}} // a difference of 1
	}
	if r.chooseShift(true); r.shift == 0 {
		t.Fatal("no shift was chosen")
	}
	for k, sides := range r.windows {
		want := countAt(sides[0], r.interpolation, r.shift).Rate() - countAt(sides[1], r.interpolation, r.shift).Rate()
		if got := r.tracked[k].compare(r.constraints[k].measure); math.Abs(got-want) > 1e-12 || math.Abs(want) > r.constraints[k].target() {
			t.Errorf("constraint %d: the tracked difference is %v, that of the shifted decisions %v", k, got, want)
		}
	}
}

// TestMultipliersHaveTheSignOfTheBias: a report says which way the difference is that a multiplier works against.
func TestMultipliersHaveTheSignOfTheBias(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		r := comparisonsOf(t, 2)
		r.active, r.interpolation = []int{1}, []float64{.5}
		c := &r.constraints[1]
		c.model, c.sign, c.multiplier, c.difference = 1, sign, .6, sign*.2
		r.tracked[1] = tracked{frequency: [2]float64{.5, .5}, positive: [2]float64{.25 + sign*.05, .25 - sign*.05}}
		comparisons := []fairness.Comparison{{Name: "idle", Tau: .05, Enforce: true}, {Name: "pressed", Tau: .05, Enforce: true}}
		reports := r.Reports(comparisons)
		if len(reports) != 2 || reports[0].Multiplier != 0 || math.Abs(reports[1].Multiplier-sign*.3) > 1e-12 || math.Abs(reports[1].Difference-sign*.2) > 1e-6 {
			t.Fatalf("bias of sign %v: %+v", sign, reports)
		}
		if slack := reports[1].Slackness(); math.Abs(slack-.3*(.2-c.target())) > 1e-6 {
			t.Errorf("bias of sign %v: slackness %v", sign, slack)
		}
	}
}
