package model

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// measurements are those of Learner.Measurements.
func (r *regression) measurements(comparisons []fairness.Comparison, o fairness.Options) document.Measurements {
	m := document.Measurements{
		Prequential: document.ReportPredictions(r.measured.all(), comparisons, o),
		Recent:      document.ReportPredictions(r.measured.recent(), comparisons, o),
		Constraints: r.current(comparisons, o),
		Control:     r.model.control(comparisons),
	}
	if r.free != nil {
		all := document.ReportPredictions(r.free.all(), comparisons, o)
		recent := document.ReportPredictions(r.free.recent(), comparisons, o)
		m.Unconstrained, m.UnconstrainedRecent = &all, &recent
	}
	m.Conditions = r.conditions(&m)
	return m
}

func (r *regression) conditions(m *document.Measurements) []document.Condition {
	var conditions []document.Condition
	for _, c := range m.Control {
		if !c.Reachable {
			conditions = append(conditions, document.Condition{Code: document.Unreachable, Constraint: c.Name, Detail: "no weights that were found keep it on recent records: raise tau, or remove a constraint that contradicts it"})
		}
	}
	for k := range r.model.pressures {
		if p := &r.model.pressures[k]; p.chosen && p.theta >= (1-leastTarget)*p.tau {
			conditions = append(conditions, document.Condition{Code: document.BelowSamplingError, Constraint: m.Control[k].Name, Detail: fmt.Sprintf(
				"tau is smaller than what chance makes of %.0f unseen records: it is kept on average, not in each holdout; raise tau", r.model.aim.holdout)})
		}
	}
	conditions = append(conditions, tooFew(m.Constraints)...)
	if m.Recent.Collapse == fairness.NoBetterThanConstant {
		conditions = append(conditions, document.Condition{Code: document.Useless, Detail: "predictions are hardly better than the mean label"})
	}
	return conditions
}
