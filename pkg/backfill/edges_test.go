package backfill

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestStatesOfFiles: what a backfill leaves in a file is read as it was written, behind other bytes too, and each cut of it is refused.
func TestStatesOfFiles(t *testing.T) {
	of := State{Learner: []byte("the state of a learner")}
	of.Program, of.Finished, of.TimeField = "v1", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "at"
	of.Files, of.Rejected = []File{{"a.csv", 10, 2, "aa"}, {"b.csv", 20, 4, "bb"}}, map[string]int64{"too_long": 3}
	of.Survey.Records, of.Version, of.Weights, of.Rounds, of.Unfinished = 6, 7, 8, 9, true
	of.Measured = []Measured{{Name: "sex", Tau: .05}}
	behind, err := of.Append([]byte("before"))
	if err != nil || string(behind[:6]) != "before" {
		t.Fatal(err)
	}
	data := behind[6:]
	again, err := Open(data)
	if err != nil || !reflect.DeepEqual(*again, of) {
		t.Errorf("%+v is read as %+v: %v", of, again, err)
	}
	for n := range data {
		if _, err := Open(data[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a state", n, len(data))
		}
	}
	of.Measured[0].Tau = math.NaN()
	if _, err := of.Append(nil); err == nil {
		t.Error("a provenance that JSON cannot hold is written")
	}
}

// TestLossesOfMargins: the loss of a margin and a label, of margins far out too.
func TestLossesOfMargins(t *testing.T) {
	for _, c := range []struct{ z, positive, negative float64 }{
		{0, math.Ln2, math.Ln2}, {1, math.Log1p(math.Exp(-1)), 1 + math.Log1p(math.Exp(-1))}, {-3, 3 + math.Log1p(math.Exp(-3)), math.Log1p(math.Exp(-3))},
		{1e300, 0, largestMargin}, {-1e300, largestMargin, 0},
	} {
		if p, n := lossOf(c.z, true), lossOf(c.z, false); math.Abs(p-c.positive) > 1e-12 || math.Abs(n-c.negative) > 1e-12 {
			t.Errorf("a margin of %v: %v and %v, want %v and %v", c.z, p, n, c.positive, c.negative)
		}
	}
}

// TestAnIndexThatComesTwice: sums over a row in which an index comes twice are those over the row in which the values are added, with a full matrix and with
// the diagonal alone, for pairs in either order.
func TestAnIndexThatComesTwice(t *testing.T) {
	twice := features.Row{Index: []int32{0, 2, 1, 2}, Value: []float32{1, .5, 3, 1.5}}
	once := features.Row{Index: []int32{0, 2, 1}, Value: []float32{1, 2, 3}}
	weights := []float64{.1, -.2, .3}
	var totals [2]*total
	for i, row := range []*features.Row{&twice, &once} {
		list := []candidate{{weights: weights}}
		totals[i] = newTotal(3, 1, list)
		totals[i].add(list, &model.Example{Row: row, Sides: []fairness.Side{fairness.Group}, Positive: true, Weight: 2}, 2)
	}
	for j := range weights {
		if a, b := totals[0].candidates[0].gradient[j].value(), totals[1].candidates[0].gradient[j].value(); math.Abs(a-b) > 1e-8 {
			t.Errorf("the gradient in weight %d is %v, want %v", j, a, b)
		}
	}
	p := 1 / (1 + math.Exp(-(.1 + .3*2 - .2*3)))
	for a := range 3 {
		for b := range a + 1 {
			x := []float64{1, 3, 2}
			if got, want := totals[0].candidates[0].curvature[packed(b, a)].value(), 2*p*(1-p)*x[a]*x[b]; math.Abs(got-want) > 1e-8 {
				t.Errorf("the curvature in weights %d and %d is %v, want %v", a, b, got, want)
			}
		}
	}
	if diagonal := totals[1].information(); math.Abs(diagonal[1]-2*p*(1-p)*9) > 1e-8 || math.Abs(totals[1].touched[1].value()-18) > 1e-12 || totals[1].records != 1 || totals[1].weight.value() != 2 {
		t.Errorf("information %v", diagonal)
	}
}

// TestWhatIsHeldOut: rates of the records that were held out, from enough of them on both sides and of both among all.
func TestWhatIsHeldOut(t *testing.T) {
	e := model.Enforceable{Index: 0, Name: "sex", Tau: .1}
	aim := control.NewAim(.95, 1, 10_000, .95)
	list := []candidate{{weights: []float64{0}}}
	for name, c := range map[string]struct {
		group, versus int
		inSums        bool
		estimable     bool
	}{
		"enough":         {fairness.DefaultMinimumRecords, fairness.DefaultMinimumRecords, true, true},
		"few of one":     {fairness.DefaultMinimumRecords - 1, 500, true, false},
		"few of another": {500, fairness.DefaultMinimumRecords - 1, true, false},
		"none of one":    {0, 500, true, false},
		"none is summed": {500, 500, false, false},
	} {
		sums := newTotal(1, 1, list)
		for side, count := range []int{c.group, c.versus} {
			of := []fairness.Side{[]fairness.Side{fairness.Group, fairness.Versus}[side]}
			for i := range count {
				row := features.Row{Index: []int32{0}}
				at := []candidate{{weights: []float64{map[bool]float64{true: 1, false: -1}[i%4 < 1+side]}}}
				sums.hold(at, &model.Example{Row: &row, Sides: of, Positive: i%2 == 0}, 1)
			}
			if c.inSums {
				row := features.Row{Index: []int32{0}}
				sums.add(list, &model.Example{Row: &row, Sides: of}, 1)
			}
		}
		if !c.inSums {
			row := features.Row{Index: []int32{0}}
			sums.add(list, &model.Example{Row: &row, Sides: []fairness.Side{fairness.Neither}}, 1)
		}
		m := sums.measure(&e, &aim, 1000, 1)
		if m.Estimable != c.estimable || m.Name != "sex" || m.Tau != .1 || c.estimable != (m.Target > 0) {
			t.Errorf("%s: %+v", name, m)
		}
		if c.group == 500 && c.versus == 500 && (math.Abs(m.Rates[0]-125.5/501) > 1e-12 || math.Abs(m.Rates[1]-250.5/501) > 1e-12 || math.Abs(m.Difference-(-125./501)) > 1e-12 ||
			math.Abs(m.Error-math.Sqrt(m.Rates[0]*(1-m.Rates[0])/500+m.Rates[1]*(1-m.Rates[1])/500)) > 1e-12) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestTheOrderOfTheSample: by hash, and of equal ones by place.
func TestTheOrderOfTheSample(t *testing.T) {
	a, b, c := book{hash: 1}, book{hash: 2}, book{hash: 2}
	c.at.Position = 5
	for _, pair := range []struct {
		x, y book
		want int
	}{{a, b, -1}, {b, a, 1}, {b, c, -1}, {c, b, 1}, {b, b, 0}} {
		if got := byHash(pair.x, pair.y); got != pair.want {
			t.Errorf("%+v and %+v: %d", pair.x, pair.y, got)
		}
	}
}
