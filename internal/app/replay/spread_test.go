package replay

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/findings"
)

// What cannot be estimated in a holdout, or in none, is left out of the means, and no number in JSON.
func TestFoldsOfWhichSomeSayNothing(t *testing.T) {
	for n, want := range map[int]string{
		0: `{"name":"x","mean":null,"standard_deviation":null,"holdouts":0}`,
		1: `{"name":"x","mean":2,"standard_deviation":null,"holdouts":1}`,
		2: `{"name":"x","mean":3,"standard_deviation":1.4142135623730951,"holdouts":2}`,
	} {
		text, err := json.Marshal(newSpread("x", append([]float64{math.NaN()}, []float64{2, 4}[:n]...)))
		if err != nil || string(text) != want {
			t.Errorf("of %d values: %s (%v), want %s", n, text, err, want)
		}
	}
}

// A holdout whose difference is exactly tau is within tau; what cannot be estimated is in no count.
func TestSummaryBoundaries(t *testing.T) {
	e := func(kGroup, kVersus int64) *findings.Evaluation {
		return madeUpEvaluation(8000, madeUp("sex", .25, true, kGroup, 100, kVersus, 100))
	}
	few := madeUpEvaluation(8000, madeUp("sex", .25, true, 5, 20, 1, 3))
	got := summarize([]*findings.Evaluation{e(50, 25), e(25, 50), e(51, 25), e(25, 51), few}).Constraints[0]
	if got.Within != 2 || got.Holdouts != 4 || got.within(5) != "2 of 4\n1 not_estimable" {
		t.Errorf("%+v: %s", got, got.within(5))
	}
}

// TestOrders: two orders or more are told apart, with the means of those that have one.
func TestOrders(t *testing.T) {
	mean := func(x float64) order {
		var o order
		o.Summary.Constraints = []constraintSummary{{spread: spread{Mean: &x}}}
		return o
	}
	none := order{Summary: Summary{Constraints: []constraintSummary{{}}}}
	for _, test := range []struct {
		orders []order
		want   string
	}{
		{nil, ""}, {[]order{mean(.1)}, ""}, {[]order{none, none}, ""},
		{[]order{mean(.1), mean(.3)}, "sex: the means of the 2 orders are +0.200 ± 0.141 (mean ± standard deviation\nbetween orders).\n"},
		{[]order{mean(.1), none, mean(.3)}, "sex: the means of the 2 orders are +0.200 ± 0.141 (mean ± standard deviation\nbetween orders).\n"},
	} {
		f := &folded{Orders: test.orders}
		f.Summary.Constraints = []constraintSummary{{spread: spread{Name: "sex"}}}
		var out strings.Builder
		if f.writeOrders(&out); out.String() != test.want {
			t.Errorf("%d orders: %q, want %q", len(test.orders), out.String(), test.want)
		}
	}
}
