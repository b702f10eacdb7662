package release

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

func TestAMachineIsMadeOfValidSettings(t *testing.T) {
	if _, err := New(Config{Limit: 0.03}, sex(t)); err == nil || !strings.Contains(err.Error(), "release.limit: 0.03 is below 0.05, the tau of sex") {
		t.Error(err)
	}
	if problems := (Config{}).Validate(); len(problems) < 8 || problems[0].Path != "release.delta" {
		t.Errorf("%v", problems)
	}
	if problems := Default().Validate(); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	bad := Default()
	bad.Limit, bad.Delta, bad.Confidence, bad.Share, bad.MostUnknown, bad.SmallGroups, bad.Anchors, bad.Patience, bad.Rate = -1, math.NaN(), 1, 2, 0, "x", 1, 1, -1
	if problems := bad.Validate(); len(problems) != 9 {
		t.Errorf("%v", problems)
	}
	for _, c := range []struct {
		about fairness.Comparison
		limit float64
		want  float64
	}{
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.05}, 0, 0.07},
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.05}, 0.09, 0.09},
		{fairness.Comparison{Criterion: fairness.DemographicParity, Tau: 0.99}, 0, 0.995},
		{fairness.Comparison{Criterion: fairness.ImpactRatio, Tau: 0.8}, 0.09, 0.78},
		{fairness.Comparison{Criterion: fairness.ImpactRatio, Tau: 0.01}, 0, 0.005},
		{fairness.Comparison{Criterion: fairness.MeanDifference, Tau: 10}, 0, 14},
	} {
		if got, err := (Config{Limit: c.limit}).bound(c.about); err != nil || math.Abs(got.Tau-c.want) > 1e-12 {
			t.Errorf("%+v: %v, %v", c, got.Tau, err)
		}
	}
}
