package board

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestARangeNeedsRecordsARateAndALevel: of anything else there is no interval.
func TestARangeNeedsRecordsARateAndALevel(t *testing.T) {
	for _, c := range [][3]float64{{0.5, 0, 0.95}, {0.5, -1, 0.95}, {math.NaN(), 10, 0.95}, {0.5, 10, 0}, {0.5, 10, 1}, {0.5, math.NaN(), 0.95}} {
		if got := rangeOf(c[0], c[1], c[2]); got != nil {
			t.Errorf("%v: %+v", c, got)
		}
	}
	got := rangeOf(0.5, 10, 0.95) // Wilson's interval of 5 in 10, from a published table: 0.2366 to 0.7634
	if got == nil || got.Value != 0.5 || math.Abs(float64(got.Lo)-0.2366) > 5e-5 || math.Abs(float64(got.Hi)-0.7634) > 5e-5 {
		t.Errorf("%+v", got)
	}
}

// TestNumbersInWords at the bounds between the ways to write them.
func TestNumbersInWords(t *testing.T) {
	for x, want := range map[Number]string{0: "0.000", 0.00099: "0.00099", -0.000123456: "−0.00012", 0.001: "0.001", -0.0016: "−0.002", 999.9994: "999.999", 1000: "1000", -1234.5678: "−1235"} {
		if got := decimal(x); got != want {
			t.Errorf("%v: %q, want %q", float64(x), got, want)
		}
	}
	for x, want := range map[Number]string{0: "0.000", 0.01: "+0.010", -0.01: "−0.010"} {
		if got := Signed(x); got != want {
			t.Errorf("%v: %q, want %q", float64(x), got, want)
		}
	}
	for x, want := range map[Number]string{0.05: "0.050", 0.0501: "0.0501", 0.05001: "0.05001", 0.050001: "0.050001", 0.0500001: "0.050000", -0.04999: "−0.04999"} {
		if got := Near(x, 0.05); got != want {
			t.Errorf("%v: %q, want %q", float64(x), got, want)
		}
	}
	if got := SignedNear(0.0502, 0.05); got != "+0.0502" {
		t.Error(got)
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for x, want := range map[Number]string{0.5: "50 %", 0.1234: "12.3 %", 0.0005: "0.1 %", 1: "100 %", 0: "0 %"} {
		if got := percent(x); got != want {
			t.Errorf("%v: %q, want %q", float64(x), got, want)
		}
	}
	for x, want := range map[float64]string{0.95: "95 %", 0.9875: "98.75 %", 0.99999: "99.999 %", 1 - 1e-7: "100 %"} {
		if got := levelWords(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	if one, two, three := listed([]string{"a"}), listed([]string{"a", "b"}), listed([]string{"a", "b", "c"}); one != "a" || two != "a and b" || three != "a, b and c" {
		t.Errorf("%q, %q, %q", one, two, three)
	}
}

// TestADifferenceOfZeroHasNoSide, and an interval that ends at 0 does not say which group is higher.
func TestADifferenceOfZeroHasNoSide(t *testing.T) {
	of := func(value, lo, hi Number, status fairness.Status) *Constraint {
		return &Constraint{Criterion: fairness.DemographicParity, Group: "Male", Versus: "rest", Tau: 0.05, Value: value, Lo: lo, Hi: hi, Status: status}
	}
	for want, c := range map[string]*Constraint{
		"Male and all others differ by at most 0.030 in the share of positive decisions. The limit of 0.05 is kept.":                                             of(-0.01, -0.03, 0, fairness.Met),
		"Male and all others differ by at most 0.020 in the share of positive decisions. The limit of 0.05 is kept.":                                             of(0.01, 0, 0.02, fairness.Met),
		"The share of positive decisions is the same for Male and all others. The limit of 0.05 is kept.":                                                        of(0, 0.01, 0.02, fairness.Met),
		"The share of positive decisions is lower for Male than for all others by 0.010. The limit of 0.05 is kept.":                                             of(-0.01, -0.02, -0.001, fairness.Met),
		"The share of positive decisions is higher for Male than for all others by 0.080 (at least 0.080). The limit is 0.05.":                                   of(0.08, 0.08, 0.1, fairness.Violated),
		"It is not known yet whether Male and all others differ by at most 0.05 in the share of positive decisions. The difference is between 0.000 and +0.060.": of(0.04, 0, 0.06, fairness.Inconclusive),
	} {
		if got := Sentence(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if b := beside(of(0, 0, 0, fairness.Met), 0); b != "the same for Male and all others" {
		t.Error(b)
	}
}

// TestChangesForAList have their values if both are known and short.
func TestChangesForAList(t *testing.T) {
	long := strings.Repeat("x", mostOfValue+1)
	for _, c := range [][4]string{
		{"constraints[0].tau", "0.05", "0.15", "the limit of comparison 1, from 0.05 to 0.15"},
		{"constraints[1]", "null", `{"name":"race"}`, "comparison 2"},
		{"constraints[x].tau", "1", "2", "the limit, from 1 to 2"},
		{"learner.window", "10000", "8192", "the number of recent records, from 10,000 to 8,192"},
		{"job", "null", `"b"`, "job"},
		{"job", `"a"`, "null", "job"},
		{"job", "not JSON", "neither", "job, from not JSON to neither"},
		{"job", `"a"`, `"` + long[1:] + `"`, "job, from a to " + long[1:]},
		{"job", `"a"`, `"` + long + `"`, "job"},
		{"a.b_c[3].d", "1.50", "1e3", "b c 3, d, from 1.50 to 1e3"},
	} {
		if got := ChangeBrief(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%s: %q, want %q", c[0], got, c[3])
		}
	}
}

// TestLimitsOfGates: an interval that ends at the limit is not beyond it.
func TestLimitsOfGates(t *testing.T) {
	for _, c := range []struct {
		criterion fairness.Criterion
		lo, hi    Number
		beyond    bool
	}{
		{fairness.DemographicParity, 0.05, 0.07, false}, {fairness.DemographicParity, 0.0501, 0.07, true}, {fairness.DemographicParity, -0.07, -0.05, false}, {fairness.DemographicParity, -0.07, -0.0501, true},
		{fairness.ImpactRatio, 0.01, 0.05, false}, {fairness.ImpactRatio, 0.01, 0.0499, true}, {fairness.ImpactRatio, 0.06, 0.07, false},
	} {
		g := Gate{Name: "comparison", Criterion: c.criterion, Lo: c.lo, Hi: c.hi, Tau: 0.05, Limit: 0.1}
		if g.Tell(); g.Beyond != c.beyond {
			t.Errorf("%+v: beyond %v", c, g.Beyond)
		}
	}
}

// TestTheLargestDifferenceWithoutALimit is the one whose interval is farthest from 0; the first of two that are equally far. It is said to be larger than
// those that have a limit only if it is.
func TestTheLargestDifferenceWithoutALimit(t *testing.T) {
	gap := func(group string, lo, hi Number) Gap {
		return Gap{Measure: "accuracy", Group: group, Versus: "rest", Value: (lo + hi) / 2, Lo: lo, Hi: hi, Tau: Unknown()}
	}
	const none = "Some kinds of difference are not judged, because no limit is set; none of them is clearly different from 0."
	limited := gap("a", 0.5, 0.6)
	limited.Tau = 0.1
	for name, c := range map[string]struct {
		gaps []Gap
		most Number
		want string
	}{
		"no gap":             {nil, 0.1, ""},
		"a limit":            {[]Gap{limited}, 0.1, ""},
		"an unknown end":     {[]Gap{gap("a", Unknown(), 0.1)}, 0.1, ""},
		"ends at 0":          {[]Gap{gap("a", 0, 0.5), gap("b", -0.5, 0)}, 0.1, none},
		"the first of equal": {[]Gap{gap("a", 0.25, 0.5), gap("b", -0.5, -0.25)}, 0, "a minus all others in the share of right decisions, +0.375 (+0.250 to +0.500), which is the largest such difference."},
		"the farthest":       {[]Gap{gap("a", 0.25, 0.5), gap("b", -0.75, -0.5)}, 0, "b minus all others in the share of right decisions, −0.625 (−0.750 to −0.500), which is the largest such difference."},
		"as large":           {[]Gap{gap("a", 0.25, 0.5)}, 0.25, "a minus all others in the share of right decisions, +0.375 (+0.250 to +0.500), which is the largest such difference."},
		"larger":             {[]Gap{gap("a", 0.25, 0.5)}, 0.125, "a minus all others in the share of right decisions, +0.375 (+0.250 to +0.500). This difference is larger than every one that has a limit."},
	} {
		want := c.want
		if want != "" && want != none {
			want = "Not judged, because no limit is set: " + want
		}
		if got := unlimited(c.gaps, c.most); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestTheLargestDifferenceThatHasALimit is of differences of shares, whatever their sign; ratios and means are not compared with it.
func TestTheLargestDifferenceThatHasALimit(t *testing.T) {
	of := func(criterion fairness.Criterion, value Number) Constraint {
		return Constraint{Criterion: criterion, Value: value}
	}
	d := Deciding{Constraints: []Constraint{of(fairness.DemographicParity, 0.1), of(fairness.EqualOpportunity, -0.3), of(fairness.ImpactRatio, 0.9), of(fairness.MeanDifference, 7), of(fairness.DemographicParity, Unknown())}}
	if most := d.largest(); most != 0.3 {
		t.Error(most)
	}
	if most := (&Deciding{}).largest(); most != 0 {
		t.Error(most)
	}
}

// TestACombinationIsNamedOfSharesOnly, and only one whose interval does not touch that of the other side.
func TestACombinationIsNamedOfSharesOnly(t *testing.T) {
	group := func(name string, lo, hi Number) Group {
		return Group{Attribute: "sex & race", Group: name, Rate: (lo + hi) / 2, Lo: lo, Hi: hi}
	}
	attribute := func(string) string { return "sex & race" }
	groups := []Group{group("m & w", 0.25, 0.5), group("m & b", 0, 0.25), group("f & w", 0.5, 0.75)}
	c := Constraint{Criterion: fairness.DemographicParity, Group: "x & y", Versus: "m & w"}
	d := &Deciding{Constraints: []Constraint{c}}
	if text := d.combinations(&c, "sex & race", groups, attribute); text != "" {
		t.Errorf("intervals that touch: %q", text)
	}
	groups = append(groups, group("f & b", 0.625, 0.875), group("f & c", 0, 0)) // 0.375 above and below
	if text := d.combinations(&c, "sex & race", groups, attribute); text != "Not judged: f & b against m & w, +0.375." {
		t.Errorf("the first of two that are equally far: %q", text)
	}
	c.Criterion = fairness.EqualOpportunity
	if text := d.combinations(&c, "sex & race", groups, attribute); text != "" {
		t.Errorf("of another measure: %q", text)
	}
	c.Criterion, c.Versus = fairness.DemographicParity, "nobody & nowhere"
	if text := d.combinations(&c, "sex & race", groups, attribute); text != "" {
		t.Errorf("the other side is no group: %q", text)
	}
}

// TestHowManyAreRight, from three verdicts on, and how many alarms there are.
func TestHowManyAreRight(t *testing.T) {
	met, alarm := Constraint{Name: "sex", Status: fairness.Met}, Constraint{Name: "age", Status: fairness.Inconclusive, Alarm: &Alarm{Raised: true}}
	d := Deciding{Confidence: 0.95, Constraints: []Constraint{met, met, met, alarm, alarm}}
	if d.Answer(); d.Answers.Headline != "Alarm: in the newest decisions, 2 of 5 comparisons are beyond their limits" ||
		d.Answers.Sure != "With a probability of at least 95 %, all 3 verdicts reached are right, however often you look. 2 comparisons have no verdict." {
		t.Errorf("%+v", d.Answers)
	}
	d.Constraints = d.Constraints[1:3]
	if sure := d.sure(); sure != "With a probability of at least 95 %, both verdicts reached are right, however often you look." {
		t.Error(sure)
	}
	d.Constraints = []Constraint{alarm}
	if sure := d.sure(); sure != "With a probability of at least 95 %, all intervals of the differences are right, however often you look." {
		t.Error(sure)
	}
	for share, sided := range map[Number]bool{0.95: true, 0.9499: false, 0.5: false, 0.0501: false, 1 - nearlyAll: true, 0: true, Unknown(): false} {
		if d.Positive = share; d.sided() != sided {
			t.Errorf("a share of %v: %v", float64(share), !sided)
		}
	}
}

// TestNobodyIsWatched: what a monitored model, or applications without a stable version, go on doing after the job has stopped.
func TestNobodyIsWatched(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 10, 0, 0, time.UTC)
	for want, s := range map[string]*Status{
		"The monitored model goes on deciding, and fairstream has not watched it since 23 Nov 2026, 08:10 UTC: no alarm is raised.":                                                          {Kind: Monitor},
		"Applications keep using the newest version that they have. Because the job has stopped, fairstream has not watched its decisions since 23 Nov 2026, 08:10 UTC: no alarm is raised.": {Versions: []Version{{}}},
		"": {},
	} {
		s.Phase, s.AsOf = "halted", &at
		if s.StandStill(); s.Deciding.Answers.Follows != want {
			t.Errorf("%q, want %q", s.Deciding.Answers.Follows, want)
		}
	}
}

// TestExcess is how far a difference is beyond its limit, in either direction, and a ratio below it.
func TestExcess(t *testing.T) {
	for _, c := range []struct {
		criterion  fairness.Criterion
		value, tau float64
		want       Number
	}{{fairness.DemographicParity, .25, .125, .125}, {fairness.DemographicParity, -.25, .125, .125}, {fairness.DemographicParity, .0625, .125, -.0625}, {fairness.ImpactRatio, .5, .75, .25}} {
		row := Constraint{Criterion: c.criterion, Value: Number(c.value), Tau: c.tau}
		if got := row.excess(); got != c.want {
			t.Errorf("%v %v with the limit %v: %v in place of %v", c.criterion, c.value, c.tau, got, c.want)
		}
	}
}
