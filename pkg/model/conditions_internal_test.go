package model

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// reporting is a method of which nothing is known but its reports.
type reporting struct {
	method
	reports []control.Report
}

func (r reporting) control([]fairness.Comparison) []control.Report { return r.reports }

// TestWhatIsSaidOfAConstraint: what few records leave unknown, on both sides of each bound, and what its report adds, unless nothing can be estimated.
func TestWhatIsSaidOfAConstraint(t *testing.T) {
	const few, wide, floor, smoothed, moving, away = document.TooFewRecords, document.Imprecise, document.BelowSamplingError, document.BelowSmoothing, document.Unsteady, document.OneSideAway
	below := math.Nextafter(surrogate.DefaultEpsilon, 0)
	for name, c := range map[string]struct {
		criterion fairness.Criterion
		status    fairness.Status
		half      float64 // of the interval; tau is .25
		report    *control.Report
		codes     []document.ConditionCode
		says      []string
	}{
		"as wide as can be":       {half: .25, report: &control.Report{Rarest: 1}},
		"wider":                   {half: .5, report: &control.Report{Rarest: 1}, codes: []document.ConditionCode{wide}, says: []string{"±0.5, beyond the bound of 0.25: about 4 times as many", "a larger tau"}},
		"a ratio as wide":         {criterion: fairness.ImpactRatio, half: .75, report: &control.Report{Rarest: 1}},
		"a wider ratio":           {criterion: fairness.ImpactRatio, half: 1.5, report: &control.Report{Rarest: 1}, codes: []document.ConditionCode{wide}, says: []string{"a smaller tau"}},
		"not estimable":           {status: fairness.NotEstimable, half: 9, report: &control.Report{AtFloor: true, Unsteady: true}, codes: []document.ConditionCode{few}, says: []string{"a reason"}},
		"of no report":            {half: .5, codes: []document.ConditionCode{wide}},
		"as rare as can be":       {report: &control.Report{Rarest: surrogate.DefaultEpsilon}},
		"rarer":                   {report: &control.Report{Rarest: below}, codes: []document.ConditionCode{smoothed}, says: []string{"one of its groups is"}},
		"at the floor":            {report: &control.Report{Rarest: 1, AtFloor: true}, codes: []document.ConditionCode{floor}, says: []string{"the difference of 777 new records"}},
		"unsteady and moving":     {report: &control.Report{Rarest: 1, Unsteady: true, Moved: .3}, codes: []document.ConditionCode{moving}, says: []string{"more than once"}},
		"moving":                  {report: &control.Report{Rarest: 1, Moved: -.3}, codes: []document.ConditionCode{moving}, says: []string{"it is -0.3 off"}},
		"without the other group": {report: &control.Report{Rarest: 1, Away: [2]float64{0, 40}}, codes: []document.ConditionCode{away}, says: []string{"no record of men is among the last 40, half of the records that women is"}},
		"without either":          {report: &control.Report{Rarest: 1, Away: [2]float64{1, 1}}, codes: []document.ConditionCode{away, away}, says: []string{"no record of women", "no record of men"}},
	} {
		criterion := c.criterion
		if criterion == "" {
			criterion = fairness.DemographicParity
		}
		e := fairness.Estimate{Name: "sex", Criterion: criterion, Tau: .25, Group: "women", Versus: "men", Status: c.status, Reason: "a reason", Lo: 1 - c.half, Hi: 1 + c.half}
		learnt := reporting{}
		if c.report != nil {
			learnt.reports = []control.Report{*c.report}
		}
		m := document.Measurements{Constraints: []fairness.Estimate{e}}
		got := measurable(&m, about{comparisons: []fairness.Comparison{{Name: "sex", Criterion: criterion}}, holdout: 777}, learnt)
		if !slices.Equal(codes(got), c.codes) {
			t.Errorf("%s: %v, want %v", name, codes(got), c.codes)
			continue
		}
		said := ""
		for _, condition := range got {
			if said += condition.Detail + "\n"; condition.Constraint != "sex" {
				t.Errorf("%s: of constraint %q", name, condition.Constraint)
			}
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q", name, said, want)
			}
		}
	}
}
