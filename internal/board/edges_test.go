package board

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestWhetherAGateIsWithinItsLimit: an interval that ends at the limit is, and one that is not known is not.
func TestWhetherAGateIsWithinItsLimit(t *testing.T) {
	for _, c := range []struct {
		criterion   fairness.Criterion
		lo, hi, tau Number
		within      bool
	}{
		{fairness.DemographicParity, -0.05, 0.05, 0.05, true}, {fairness.DemographicParity, -0.0501, 0.05, 0.05, false}, {fairness.DemographicParity, -0.05, 0.0501, 0.05, false},
		{fairness.ImpactRatio, 0.8, 0.9, 0.8, true}, {fairness.ImpactRatio, 0.79, 0.9, 0.8, false}, {fairness.ImpactRatio, 0.85, 2, 0.8, true},
		{fairness.DemographicParity, Unknown(), 0, 0.05, false}, {fairness.DemographicParity, 0, Unknown(), 0.05, false}, {fairness.DemographicParity, 0, 0, Unknown(), false}, {fairness.ImpactRatio, 0.9, Number(math.Inf(1)), 0.8, false},
	} {
		g := Gate{Criterion: c.criterion, Lo: c.lo, Hi: c.hi, Tau: c.tau}
		if g.Within() != c.within {
			t.Errorf("%+v: %v", c, !c.within)
		}
	}
	for n, known := range map[Number]bool{0: true, -1: true, Number(math.Inf(1)): false, Number(math.Inf(-1)): false, Unknown(): false} {
		if n.Known() != known {
			t.Errorf("%v is known: %v", float64(n), !known)
		}
	}
}

// TestWhatIsLeftOutAtTheBounds: a ratio that meets its limit misses none, the first group may be the one that is farthest, and whatever comes first a comparison is known.
func TestWhatIsLeftOutAtTheBounds(t *testing.T) {
	by := func(string) string { return "sex" }
	group := func(attribute, name string, ratio Number) Group {
		return Group{Attribute: attribute, Group: name, Records: 9, ImpactRatio: ratio, Rate: 0.5, Lo: 0.4, Hi: 0.6}
	}
	c := Constraint{Name: "fifths", Criterion: fairness.ImpactRatio, Group: "m", Versus: "f", Tau: 0.75}
	d := &Deciding{Constraints: []Constraint{c}}
	for ratio, want := range map[Number]string{0.75: "", 0.5: `"fifths" is not judged by race, where the lowest ratio is 0.50 (b).`, 1: ""} {
		text, missed := d.covers(&c, []Group{group("sex", "m", 1), group("race", "b", ratio)}, by)
		if missed != want || !strings.HasPrefix(text, "Not judged: the same by race") {
			t.Errorf("a ratio of %v: %q, %q", float64(ratio), text, missed)
		}
	}
	if text, _ := d.covers(&c, []Group{group("sex", "m", 1), group("race", "b", 1), group("age", "old", 1)}, by); text != "Not judged: the same by race and age." {
		t.Errorf("%q", text)
	}
	if text, _ := d.covers(&c, []Group{group("race", "b", 1), group("sex", "m", 1)}, by); text != "Not judged: the same by race." {
		t.Errorf("%q", text)
	}
	for ratio, lowest := range map[Number]bool{1: false, 0.9: true, Unknown(): false} {
		text := d.alone([]Group{group("race", "b", ratio)}, by)
		if text == "" || strings.Contains(text, "The lowest share of positive decisions among them is 50 %") != lowest {
			t.Errorf("a ratio of %v: %q", float64(ratio), text)
		}
	}
	both := Constraint{Criterion: fairness.DemographicParity, Group: "x & y", Versus: "m & w"}
	d = &Deciding{Constraints: []Constraint{both}}
	far, near := Group{Attribute: "sex & race", Group: "f & b", Rate: 0.9, Lo: 0.8, Hi: 0.95}, Group{Attribute: "sex & race", Group: "m & w", Rate: 0.2, Lo: 0.1, Hi: 0.3}
	for _, groups := range [][]Group{{far, near}, {near, far}} {
		if text := d.combinations(&both, "sex & race", groups, func(string) string { return "sex & race" }); text != "Not judged: f & b against m & w, +0.700." {
			t.Errorf("%q", text)
		}
	}
}

// TestWordsAtZero: of a difference of 0 nobody is worse off, groups of equal shares are named in their order, and an interval at equal time may have its middle at 0.
func TestWordsAtZero(t *testing.T) {
	c := Constraint{Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f", Tau: 0.05, Status: fairness.Violated, Value: 0, Sequence: &Sequence{Value: 0.1, Status: fairness.Violated}}
	d := &Deciding{Constraints: []Constraint{c}}
	if got := d.worse(&d.Constraints[0]); got != "sex" {
		t.Error(got)
	}
	ratio := Constraint{Name: "sex", Criterion: fairness.ImpactRatio, Group: "m", Versus: "f", GroupMeasure: 0.1, VersusMeasure: 0.1}
	if got := d.worse(&ratio); got != "sex (fewer positive decisions for m than for f)" {
		t.Error(got)
	}
	c.Value, c.Sequence = 0.1, &Sequence{Value: 0, Lo: 0.06, Hi: 0.2, Status: fairness.Violated}
	if got := Sentence(&c); got != "The share of positive decisions is higher for m than for f by 0.100 (at least 0.060). The limit is 0.05." {
		t.Error(got)
	}
	if got := than(&c, 0); got != "higher for m than for f" {
		t.Error(got)
	}
	for x, want := range map[Number]string{0.0001234: "0.00012", 1234.5: "1234", -0.0001234: "−0.00012"} {
		if got := Near(x, 5); got != want {
			t.Errorf("%v: %q, want %q", float64(x), got, want)
		}
	}
	e := fairness.Estimate{RateSides: &fairness.RateSides{RateGroup: 0.25, RateVersus: 0.5}, NGroup: 8, NVersus: 8, Level: 0.95}
	if c := NewConstraint(e, "s"); c.GroupMeasure != 0.25 || c.VersusMeasure != 0.5 || c.GroupRange == nil {
		t.Errorf("%+v", c)
	}
}

// TestAStatusIsShared by those who ask within a moment, and its events have the form that browsers read.
func TestAStatusIsShared(t *testing.T) {
	source := &counter{}
	h := newHub(source, time.Hour)
	for ago, want := range map[time.Duration]int{0: 1, 2 * sharedFor: 2} {
		source.asked, h.status = 0, nil
		for range 2 {
			if _, err := h.now(); err != nil {
				t.Fatal(err)
			}
			h.at = h.at.Add(-ago)
		}
		if source.asked != want {
			t.Errorf("%v later, asked %d times", ago, source.asked)
		}
	}
	if got := string(event("status", []byte("{}"))); got != "event: status\ndata: {}\n\n" {
		t.Errorf("%q", got)
	}
	headers := ask(t, New(source).API(), "/api/v1/status").Header()
	for name, want := range map[string]string{"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store", "Content-Type": "application/json"} {
		if got := headers.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := ask(t, New(source).Page(), "/").Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("a page is kept: %q", got)
	}
}
