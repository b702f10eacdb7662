package model

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// BelowSamplingError: chance makes holdouts differ by more than tau, whatever the weights.
const BelowSamplingError ConditionCode = "tau_below_sampling_error"

func newRegressionReport(t *fairness.RegressionTally, comparisons []fairness.Comparison, o fairness.Options) Report {
	r := Report{
		Records:     t.Errors.Model.Records,
		MSE:         t.Errors.MSE(o.Level),
		ConstantMSE: t.Errors.ConstantMSE(o.Level),
		RSquared:    t.Errors.RSquared(o.Level),
		Constraints: t.Estimates(comparisons, o),
	}
	r.Collapse = collapse(r.RSquared)
	return r
}

// collapse says whether predictions are worth more than the mean label.
func collapse(r fairness.Measure) fairness.CollapseState {
	options := fairness.DefaultCollapseOptions()
	switch {
	case !(r.Effective >= options.MinimumRecords) || !(r.Lo <= r.Hi):
		return fairness.CollapseNotEstimable
	case r.Hi < options.MinimumSkill || r.Lo <= 0:
		return fairness.NoBetterThanConstant
	}
	return fairness.NoCollapse
}

// measurements are those of Learner.Measurements.
func (r *regression) measurements(comparisons []fairness.Comparison, o fairness.Options) Measurements {
	m := Measurements{
		Prequential: newRegressionReport(r.measured.all(), comparisons, o),
		Recent:      newRegressionReport(r.measured.recent(), comparisons, o),
		Constraints: r.current(comparisons, o),
		Control:     r.model.control(comparisons),
	}
	if r.free != nil {
		all := newRegressionReport(r.free.all(), comparisons, o)
		recent := newRegressionReport(r.free.recent(), comparisons, o)
		m.Unconstrained, m.UnconstrainedRecent = &all, &recent
	}
	m.Conditions = r.conditions(&m)
	return m
}

func (r *regression) conditions(m *Measurements) []Condition {
	var conditions []Condition
	for _, c := range m.Control {
		if !c.Reachable {
			conditions = append(conditions, Condition{Unreachable, c.Name,
				"no weights that were found keep it on recent records: raise tau, or remove a constraint that contradicts it"})
		}
	}
	for k := range r.model.pressures {
		if p := &r.model.pressures[k]; p.chosen && p.theta >= (1-leastTarget)*p.tau {
			conditions = append(conditions, Condition{BelowSamplingError, m.Control[k].Name, fmt.Sprintf(
				"tau is smaller than what chance makes of %.0f unseen records: it is kept on average, not in each holdout; raise tau", r.model.aim.holdout)})
		}
	}
	conditions = append(conditions, tooFew(m.Constraints)...)
	if m.Recent.Collapse == fairness.NoBetterThanConstant {
		conditions = append(conditions, Condition{Useless, "", "predictions are hardly better than the mean label"})
	}
	return conditions
}
