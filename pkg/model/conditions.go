package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// measurable says of each constraint what the number of its records leaves unknown.
func measurable(m *document.Measurements, l *Learner) (conditions []document.Condition) {
	reports := l.method.control(l.about.comparisons)
	for i := range m.Constraints {
		e := &m.Constraints[i]
		at := slices.IndexFunc(reports, func(r control.Report) bool { return l.about.row(r.Comparison) == i })
		add := func(code document.ConditionCode, format string, arguments ...any) {
			conditions = append(conditions, document.Condition{Code: code, Constraint: e.Name, Detail: fmt.Sprintf(format, arguments...)})
		}
		half, bound, larger := (e.Hi-e.Lo)/2, e.Bound(), "larger"
		if e.Criterion.OfRatio() {
			larger = "smaller" // the bound of a ratio is from 1 to tau
		}
		switch {
		case e.Status == fairness.NotEstimable:
			add(document.TooFewRecords, "%s", e.Reason)
		case half > bound:
			add(document.Imprecise, "the interval of %s against %s reaches ±%.2g, beyond the bound of %.3g: about %.0f times as many records of both groups are needed, or a %s tau",
				e.Group, e.Versus, half, bound, math.Ceil(half/bound*(half/bound)), larger)
		}
		if at < 0 || e.Status == fairness.NotEstimable {
			continue
		}
		if reports[at].AtFloor {
			add(document.BelowSamplingError, "sampling error, with that of %d new records, takes four fifths of the bound of %.3g or more: the difference of new records may be beyond the bound by chance; choose a %s tau, or learn more records",
				l.config.Learner.HoldoutRecords, bound, larger)
		}
		if reports[at].Rarest < surrogate.DefaultEpsilon {
			add(document.BelowSmoothing, "one of its groups is %.2g %% of the records, less than %v %%: the multiplier follows a smoothed difference there, which is nearer 0 than the true one",
				100*reports[at].Rarest, 100*surrogate.DefaultEpsilon)
		}
		if reports[at].Unsteady {
			add(document.Unsteady, "the records changed more than once in the last 40,000: what holds of the recent ones may not hold of the next")
		}
	}
	return conditions
}

// certain is the probability below which something is not taken for chance.
const certain = 1e-4

// recentLabels says that all recent labels are the same, which by chance they would not be.
func recentLabels(m *document.Measurements) []document.Condition {
	if m.Recent.Decisions == nil || m.Recent.ConstantAccuracy.Value < 1 {
		return nil
	}
	rarer := m.Prequential.PositiveLabels.Value
	if m.Recent.PositiveLabels.Value == 1 {
		rarer = 1 - rarer
	}
	if math.Pow(1-rarer, m.Recent.PositiveLabels.Effective) > certain || rarer <= 0 {
		return nil
	}
	return []document.Condition{{Code: document.OneLabelRecently, Detail: fmt.Sprintf(
		"the labels of the last %d records are all the same, and earlier ones were not: the records may be sorted by label, then shuffle them, or labels of one kind may be late", m.Recent.Records)}}
}

// collapsed says that decisions do not depend on the records, or are hardly worth it.
func collapsed(m *document.Measurements, next fairness.CollapseState) []document.Condition {
	state, of := m.Recent.Collapse, ""
	if state != fairness.ConstantDecision && (next == fairness.ConstantDecision || next == fairness.NoBetterThanConstant) {
		// What is measured are the decisions of the models before.
		state, of = next, ", by the present weights"
	}
	switch state {
	case fairness.ConstantDecision:
		words := state.Words() + of
		switch {
		case of != "":
		case m.Recent.PositiveDecisions.Value == 0:
			words = "no recent record got the positive decision"
		case m.Recent.PositiveDecisions.Value == 1:
			words = "all recent records got the positive decision"
		}
		return []document.Condition{{Code: document.Collapsed, Detail: words}}
	case fairness.NoBetterThanConstant:
		return []document.Condition{{Code: document.Useless, Detail: state.Words() + of}}
	}
	return nil
}
