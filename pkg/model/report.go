package model

import (
	"slices"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// Report measures the whole stream so far.
func (l *Learner) Report() document.Report {
	s := l.settled()
	if s.regression != nil {
		return document.ReportPredictions(s.regression.measured.all(), s.comparisons, s.options)
	}
	return document.ReportDecisions(s.measured.all(), s.comparisons, s.options)
}

// Measurements returns everything known of the quality of the model.
func (l *Learner) Measurements() document.Measurements {
	m := l.measurements()
	m.Judge(l.config.Learner.MinimumRecords, l.config.Learner.Mode != Unconstrained)
	return m
}

// measurements are those of Measurements, not yet judged.
func (l *Learner) measurements() document.Measurements {
	s := l.settled()
	if s.regression != nil {
		m := s.regression.measurements(s.comparisons, s.options)
		m.Conditions = append(m.Conditions, s.ignoredColumns()...)
		return m
	}
	m := document.Measurements{
		Prequential: document.ReportDecisions(s.measured.all(), s.comparisons, s.options),
		Recent:      document.ReportDecisions(s.measured.recent(), s.comparisons, s.options),
		Constraints: s.current(),
	}
	if s.unconstrained != nil {
		all := document.ReportDecisions(s.unconstrained.all(), s.comparisons, s.options)
		recent := document.ReportDecisions(s.unconstrained.recent(), s.comparisons, s.options)
		m.Unconstrained, m.UnconstrainedRecent = &all, &recent
	}
	m.Control = s.control()
	m.Conditions = append(s.conditions(m), s.ignoredColumns()...)
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

func (l *Learner) control() []document.Control {
	switch t := l.trainer.(type) {
	case *adaptive:
		return t.control(l.comparisons)
	case *paper:
		return t.control(l.comparisons)
	}
	return nil
}

func (l *Learner) conditions(m document.Measurements) []document.Condition {
	var conditions []document.Condition
	if a, ok := l.trainer.(*adaptive); ok && a.constant {
		conditions = append(conditions, document.Condition{Code: document.Unreachable, Detail: "on recent records only (nearly) constant decisions keep every enforced constraint: raise tau, remove a contradicting constraint, or remove columns that stand for the attribute"})
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
		conditions = append(conditions, document.Condition{Code: document.Collapsed, Detail: collapse.Words()})
	case fairness.NoBetterThanConstant:
		conditions = append(conditions, document.Condition{Code: document.Useless, Detail: collapse.Words()})
	}
	return conditions
}

func imprecise(controls []document.Control, estimates []fairness.Estimate) (conditions []document.Condition) {
	for _, c := range controls {
		i := slices.IndexFunc(estimates, func(e fairness.Estimate) bool { return e.Name == c.Name && e.Criterion == c.Criterion })
		e := &estimates[i]
		if c.Theta >= (1-leastTarget)*e.Tau && c.Optimism >= e.Tau && e.Status == fairness.Violated {
			conditions = append(conditions, document.Condition{Code: document.Imprecise, Constraint: c.Name, Detail: "the groups are too small for so small a tau: what recent records show of the difference does not hold for the next ones; raise tau or give it more records"})
		}
	}
	return conditions
}

func tooFew(estimates []fairness.Estimate) (conditions []document.Condition) {
	for _, e := range estimates {
		if e.Status == fairness.NotEstimable {
			conditions = append(conditions, document.Condition{Code: document.TooFewRecords, Constraint: e.Name, Detail: e.Reason})
		}
	}
	return conditions
}
