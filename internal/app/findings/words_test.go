package findings

import (
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestPairsInWords: a difference or a ratio of two groups, with the name of the constraint unless the groups say it themselves.
func TestPairsInWords(t *testing.T) {
	for want, e := range map[string]fairness.Estimate{
		"sex: m − f":                        {Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f"},
		"sex: m / f":                        {Name: "sex", Criterion: fairness.ImpactRatio, Group: "m", Versus: "f"},
		"sex: m − f within part":            {Name: "sex", Criterion: fairness.DemographicParity, Group: "m", Versus: "f", Strata: "part"},
		"age ≥ 40 − age < 40":               {Name: "age", Criterion: fairness.DemographicParity, Group: "age ≥ 40", Versus: "age < 40"},
		"age: ages − rest":                  {Name: "age", Criterion: fairness.DemographicParity, Group: "ages", Versus: "rest"},
		"age ≥ 40 / age < 40 within region": {Name: "age", Criterion: fairness.ImpactRatio, Group: "age ≥ 40", Versus: "age < 40", Strata: "region"},
	} {
		if got := pairWords(e); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
