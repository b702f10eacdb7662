package report

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestVerdictsInWords: how each constraint of the open variant stands, and none where no variant is open.
func TestVerdictsInWords(t *testing.T) {
	nan := math.NaN()
	constraint := func(criterion, status string, value, lo, hi float64) Constraint {
		return Constraint{Name: "sex", Criterion: criterion, Group: "m", Versus: "f", Tau: .05, Status: status, Difference: Number{Value: value, Lo: lo, Hi: hi}}
	}
	for want, c := range map[string]Constraint{
		"sex: the difference between m and f was only measured. It is +0.040 [+0.030, +0.050].":                                             constraint("demographic-parity", "", .04, .03, .05),
		"sex: the difference between m and f is within the limit of 0.05. It is +0.040.":                                                    constraint("demographic-parity", "met", .04, nan, .05),
		"sex: the ratio of m and f is beyond the limit of 0.05. It is 0.040 [0.030, 0.050].":                                                constraint("impact-ratio", "violated", .04, .03, .05),
		"sex: the difference between m and f may be within the limit of 0.05 or beyond it: there are too few records to tell.":              constraint("demographic-parity", "inconclusive", nan, nan, nan),
		"sex: the difference between m and f cannot be measured on these records.":                                                          constraint("demographic-parity", "not_estimable", .04, nan, nan),
		"sex: the difference between m and f was within the limit in 2 of 3 holdouts. The mean of the holdouts is +0.040 [+0.030, +0.050].": constraint("demographic-parity", "within tau in 2 of 3", .04, .03, .05),
	} {
		p := Page{Open: 1, Variants: []Variant{{}, {Constraints: []Constraint{c}}}}
		if got := p.Verdicts(); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
		if p.Open = 2; p.Verdicts() != nil {
			t.Error("of no variant there are verdicts")
		}
	}
}

// TestTicksOfAScale are round numbers from end to end, and never −0.
func TestTicksOfAScale(t *testing.T) {
	for want, c := range map[string]struct {
		from, to float64
		about    int
	}{"0 0.2 0.4 0.6 0.8 1": {0, 1, 5}, "0 0.5 1": {0, 1, 4}, "0 1": {-.3, 1, 2}, "-1 -0.5 0 0.5 1": {-1, 1, 4}, "100 120 140": {99, 151, 3}, "0.01 0.012 0.014": {.0099, .0149, 3}} {
		var names []string
		s := scale{c.from, c.to, 0, 100}
		for _, tick := range s.ticks(c.about) {
			names = append(names, tick.Text)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%v to %v: %s, want %s", c.from, c.to, got, want)
		}
	}
	if s := spread(2, 2, 0, 100); math.Abs(s.from-(1.99-.0016)) > 1e-12 || math.Abs(s.to-(2.01+.0016)) > 1e-12 {
		t.Errorf("of one number: %+v", s)
	}
	for most, want := range map[int]string{3: "äbc", 2: "ä…"} {
		if got := short("äbc", most); got != want {
			t.Errorf("%d letters: %s", most, got)
		}
	}
	if got := known(1, math.NaN(), math.Inf(1), math.Inf(-1), 0); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("%v", got)
	}
	c := Column{With: []float64{1, 2}, Without: []float64{3}}
	for pair, want := range [][]float64{{3, 1}, {2}, nil} {
		if got := c.part(pair); !slices.Equal(got, want) {
			t.Errorf("pair %d: %v, want %v", pair, got, want)
		}
	}
}

// TestTextsThatWouldLieOnOneAnother are moved below each other, inside the figure, and those that are far apart stay.
func TestTextsThatWouldLieOnOneAnother(t *testing.T) {
	for name, c := range map[string]struct {
		first, second point
		want          [4]float64 // of both texts
	}{
		"far below":         {point{TextX: 50, TextY: 50}, point{TextX: 50, TextY: 63}, [4]float64{50, 50, 50, 63}},
		"nearer":            {point{TextX: 50, TextY: 50}, point{TextX: 50, TextY: 62}, [4]float64{50, 50, 50, 63}},
		"beside each other": {point{TextX: 50, TextY: 50}, point{TextX: 140, TextY: 50}, [4]float64{50, 50, 140, 50}},
		"nearly beside":     {point{TextX: 50, TextY: 50}, point{TextX: 139, TextY: 50}, [4]float64{50, 50, 139, 63}},
		"at the ends":       {point{TextX: 50, TextY: 0}, point{TextX: 50, TextY: 300}, [4]float64{50, 22, 50, 210}},
		"near the bottom":   {point{TextX: 50, TextY: 205}, point{TextX: 50, TextY: 208}, [4]float64{50, 205, 50, 210}},
		"up to the right":   {point{X: 260, TextX: 267, TextY: 50, Text: "abcdefghij"}, point{X: 261, TextX: 268, TextY: 90, Text: "abcdefghij"}, [4]float64{267, 50, 191, 90}},
		"at the right":      {point{X: 300, TextX: 307, TextY: 50, Text: "abc"}, point{X: 320, TextX: 327, TextY: 90, Text: "abcd"}, [4]float64{307, 50, 287.8, 90}},
	} {
		f := &frontier{Right: 330, Top: 12, Bottom: 214, Points: []point{c.first, c.second}}
		separate(f)
		if got := [4]float64{f.Points[0].TextX, f.Points[0].TextY, f.Points[1].TextX, f.Points[1].TextY}; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
