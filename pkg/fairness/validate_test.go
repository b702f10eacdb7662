package fairness

import (
	"math"
	"testing"
)

// TestTheBoundsOfTau: tau is a difference or a ratio of rates strictly between 0 and 1, or any number above 0 for means.
func TestTheBoundsOfTau(t *testing.T) {
	tiny, below := math.SmallestNonzeroFloat64, math.Nextafter(1, 0)
	for _, c := range []struct {
		criterion Criterion
		good, bad []float64
	}{
		{DemographicParity, []float64{tiny, below}, []float64{0, 1, -0.1, math.NaN()}},
		{EqualizedOdds, []float64{tiny, below}, []float64{0, 1}},
		{ImpactRatio, []float64{tiny, below}, []float64{0, 1, math.NaN()}},
		{MeanDifference, []float64{tiny, 1, math.MaxFloat64}, []float64{0, -1, math.Inf(1), math.NaN()}},
	} {
		for want, values := range map[bool][]float64{true: c.good, false: c.bad} {
			for _, tau := range values {
				problems := Comparison{Name: "sex", Criterion: c.criterion, Tau: tau, Rest: true, Group: []Term{Is("sex", "f")}}.Validate()
				if good := len(problems) == 0; good != want || !good && (len(problems) != 1 || problems[0].Field != "tau") {
					t.Errorf("%s, tau %v: %v", c.criterion, tau, problems)
				}
			}
		}
	}
}

// TestTheReferenceOfEach: what every value is compared with is one value of the same attributes, and each other form is a problem of versus.
func TestTheReferenceOfEach(t *testing.T) {
	sex, both := []Term{{Attribute: "sex"}}, []Term{{Attribute: "sex"}, {Attribute: "region"}}
	two := []Term{{Attribute: "sex", Members: Members{Values: []string{"f", "m"}}}}
	for name, c := range map[string]struct {
		c    Comparison
		good bool
	}{
		"rest":                 {Comparison{Group: sex, Rest: true}, true},
		"best":                 {Comparison{Group: sex, Best: true}, true},
		"one value":            {Comparison{Group: sex, Versus: []Term{Is("sex", "f")}}, true},
		"one combination":      {Comparison{Group: both, Versus: []Term{Is("sex", "f"), Is("region", "north")}}, true},
		"two values":           {Comparison{Group: sex, Versus: two}, false},
		"nothing":              {Comparison{Group: sex}, false},
		"no value":             {Comparison{Group: sex, Versus: sex}, false},
		"another attribute":    {Comparison{Group: sex, Versus: []Term{Is("region", "north")}}, false},
		"half a combination":   {Comparison{Group: both, Versus: []Term{Is("sex", "f")}}, false},
		"an attribute twice":   {Comparison{Group: sex, Versus: []Term{Is("sex", "f"), Is("sex", "m")}}, false},
		"rest and best":        {Comparison{Group: sex, Rest: true, Best: true}, false},
		"rest and a value":     {Comparison{Group: sex, Rest: true, Versus: []Term{Is("sex", "f")}}, false},
		"an attribute unnamed": {Comparison{Group: sex, Versus: []Term{Is("", "f")}}, false},
	} {
		c.c.Name, c.c.Criterion, c.c.Tau, c.c.Each = "each", DemographicParity, 0.1, true
		problems := c.c.Validate()
		if good := len(problems) == 0; good != c.good || !good && problems[0].Field != "versus" {
			t.Errorf("%s: %v", name, problems)
		}
	}
	means := Comparison{Name: "each", Criterion: MeanDifference, Tau: 1, Each: true, Best: true, Group: sex}
	if problems := means.Validate(); len(problems) != 1 || problems[0].Field != "versus" {
		t.Errorf("the best of means: %v", problems)
	}
}
