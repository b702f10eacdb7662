package model

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Report is a measurement of one model on a set of records that it had not learnt from.
type Report struct {
	// Records is how many records were measured.
	Records int64 `json:"records"`
	// Of a classifier: Accuracy is the share of right decisions, LogLoss the mean −ln P(label).
	Accuracy fairness.Measure `json:"accuracy,omitzero"`
	LogLoss  fairness.Measure `json:"log_loss,omitzero"`
	// ConstantAccuracy is that of the better constant decision on the same records.
	ConstantAccuracy fairness.Measure `json:"constant_accuracy,omitzero"`
	// Of a regression: MSE is the mean squared error, in squared units of the label.
	MSE fairness.Measure `json:"mse,omitzero"`
	// ConstantMSE is that of the mean label of the records learnt before, on the same records.
	ConstantMSE fairness.Measure `json:"constant_mse,omitzero"`
	// RSquared is 1 − MSE/ConstantMSE: 0 for predictions worth no more than the mean.
	RSquared fairness.Measure `json:"r_squared,omitzero"`
	// Constraints has one estimate for each comparison, equalized odds split.
	Constraints []fairness.Estimate `json:"constraints"`
	// Collapse says whether decisions or predictions depend on the records at all.
	Collapse fairness.CollapseState `json:"collapse"`
}

// Regression says whether the report is of predictions rather than of decisions.
func (r *Report) Regression() bool { return r.MSE.Level != 0 }

func newReport(t *fairness.Tally, comparisons []fairness.Comparison, o fairness.Options) Report {
	return Report{
		Records:          t.Confusion.Records,
		Accuracy:         t.Confusion.Accuracy(o.Level),
		LogLoss:          t.LogLoss(o.Level),
		ConstantAccuracy: t.Confusion.ConstantAccuracy(o.Level),
		Constraints:      t.Estimates(comparisons, o),
		Collapse:         fairness.DetectCollapse(t.Confusion, o.Level, fairness.DefaultCollapseOptions()).State,
	}
}

// Measurements is everything a learner knows of its own quality. All of it is prequential: each record
// was decided before it was learnt.
type Measurements struct {
	// Prequential covers the whole stream, Recent the last 8,192 to 9,215 records.
	Prequential Report `json:"prequential"`
	Recent      Report `json:"recent"`
	// Constraints are the current estimates: for each comparison the most recent records of each side,
	// up to learner.window, however long ago those of a rare group were.
	Constraints []fairness.Estimate `json:"constraints"`
	// Unconstrained is Prequential and Recent of the model without constraints that is learnt alongside,
	// on the same records: the difference is the price. Nil in other modes than adaptive and without
	// enforced constraints.
	Unconstrained       *Report `json:"unconstrained,omitempty"`
	UnconstrainedRecent *Report `json:"unconstrained_recent,omitempty"`
	// Control is how each enforced constraint is being kept.
	Control []Control `json:"control,omitempty"`
	// Conditions names what a person should know before trusting the model.
	Conditions []Condition `json:"conditions,omitempty"`
}

// Control is the state of one enforced constraint.
type Control struct {
	Name      string             `json:"name"`
	Criterion fairness.Criterion `json:"criterion"`
	// Multiplier is the Lagrange multiplier; its sign is that of the difference it works against.
	Multiplier float64 `json:"multiplier"`
	// Target is the absolute difference that is aimed at on recent records: tau less Theta, the
	// allowance for sampling error, and Optimism, the excess that unseen records showed over the aim; in both
	// tasks at least a fifth of tau.
	Target   float64 `json:"target"`
	Theta    float64 `json:"theta"`
	Optimism float64 `json:"optimism"`
	// EffectiveConstant is the c for which the relaxation at the published weights equals c*tau.
	EffectiveConstant float64 `json:"effective_c,omitempty"`
	// Reachable is false while no multiplier alone reaches the target on the records of the window, and a
	// shift of the threshold has to.
	Reachable bool `json:"reachable"`
	// Changes is how often the records changed so much that older ones were dropped from the window.
	Changes int64 `json:"changes"`
}

// Condition is something that a person should know.
type Condition struct {
	Code       ConditionCode `json:"code"`
	Constraint string        `json:"constraint,omitempty"`
	Detail     string        `json:"detail"`
}

// ConditionCode names a condition for logs, metrics and alerts.
type ConditionCode string

// The conditions.
const (
	// Unreachable: only (nearly) constant decisions keep the enforced constraints on recent records: they
	// contradict each other, or the columns say hardly more about the label than about the groups.
	Unreachable ConditionCode = "unreachable"
	// TooFewRecords: a side has too few records to be measured, so the constraint is not kept.
	TooFewRecords ConditionCode = "too_few_records"
	// Imprecise: the windows leave a sampling error as large as tau, unseen records were decided differently by
	// more than tau from what the windows had shown, and the whole interval is above tau: it is worked against,
	// but with so few records tau cannot be vouched for.
	Imprecise ConditionCode = "imprecise"
	// Collapsed: decisions are (nearly) constant; a small difference then means nothing.
	Collapsed ConditionCode = "constant_decision"
	// Useless: decisions differ but are hardly better than constant ones.
	Useless ConditionCode = "no_better_than_constant"
)

// Report measures the whole stream so far.
func (l *Learner) Report() Report {
	s := l.settled()
	if s.regression != nil {
		return newRegressionReport(s.regression.measured.all(), s.comparisons, s.options)
	}
	return newReport(s.measured.all(), s.comparisons, s.options)
}

// Measurements returns everything known of the quality of the model.
func (l *Learner) Measurements() Measurements {
	s := l.settled()
	if s.regression != nil {
		return s.regression.measurements(s.comparisons, s.options)
	}
	m := Measurements{
		Prequential: newReport(s.measured.all(), s.comparisons, s.options),
		Recent:      newReport(s.measured.recent(), s.comparisons, s.options),
		Constraints: s.current(),
	}
	if s.unconstrained != nil {
		all := newReport(s.unconstrained.all(), s.comparisons, s.options)
		recent := newReport(s.unconstrained.recent(), s.comparisons, s.options)
		m.Unconstrained, m.UnconstrainedRecent = &all, &recent
	}
	m.Control = s.control()
	m.Conditions = s.conditions(m)
	return m
}

// current measures each comparison on its windows.
func (l *Learner) current() []fairness.Estimate {
	all := l.measured.all()
	estimates := make([]fairness.Estimate, len(l.comparisons))
	for i, comparison := range l.comparisons {
		counts := all.Comparisons[i]
		counts.Group, counts.Versus = l.windows[i][0].count, l.windows[i][1].count
		estimates[i] = comparison.Estimate(counts, l.options)
	}
	return estimates
}

func (l *Learner) control() []Control {
	switch t := l.trainer.(type) {
	case *adaptive:
		return t.control(l.comparisons)
	case *paper:
		return t.control(l.comparisons)
	}
	return nil
}

func (l *Learner) conditions(m Measurements) []Condition {
	var conditions []Condition
	if a, ok := l.trainer.(*adaptive); ok && a.constant {
		conditions = append(conditions, Condition{Unreachable, "",
			"on recent records only (nearly) constant decisions keep every enforced constraint: raise tau, remove a contradicting constraint, or remove columns that stand for the attribute"})
	}
	conditions = append(conditions, tooFew(m.Constraints)...)
	conditions = append(conditions, imprecise(m.Control, m.Constraints)...)
	collapse := m.Recent.Collapse
	if a, ok := l.trainer.(*adaptive); ok && collapse != fairness.ConstantDecision {
		// What is measured are the decisions of the models before.
		switch now := a.collapse(); now {
		case fairness.ConstantDecision, fairness.NoBetterThanConstant:
			collapse = now
		}
	}
	switch collapse {
	case fairness.ConstantDecision:
		conditions = append(conditions, Condition{Collapsed, "", collapse.Words()})
	case fairness.NoBetterThanConstant:
		conditions = append(conditions, Condition{Useless, "", collapse.Words()})
	}
	return conditions
}

func imprecise(controls []Control, estimates []fairness.Estimate) (conditions []Condition) {
	for _, c := range controls {
		i := slices.IndexFunc(estimates, func(e fairness.Estimate) bool { return e.Name == c.Name && e.Criterion == c.Criterion })
		e := &estimates[i]
		if c.Theta >= (1-leastTarget)*e.Tau && c.Optimism >= e.Tau && e.Status == fairness.Violated {
			conditions = append(conditions, Condition{Imprecise, c.Name,
				"the groups are too small for so small a tau: what recent records show of the difference does not hold for the next ones; raise tau or give it more records"})
		}
	}
	return conditions
}

func tooFew(estimates []fairness.Estimate) (conditions []Condition) {
	for _, e := range estimates {
		if e.Status == fairness.NotEstimable {
			conditions = append(conditions, Condition{TooFewRecords, e.Name, e.Reason})
		}
	}
	return conditions
}
