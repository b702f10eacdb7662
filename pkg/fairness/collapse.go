package fairness

import "math"

// CollapseState names what has become of a classifier under its constraints.
type CollapseState string

// The states.
const (
	// NoCollapse: the decisions depend on the records, and are better than constant ones.
	NoCollapse CollapseState = "none"
	// ConstantDecision: all records get the same decision, or next to all of
	// them, and the others are hardly worth it. A risk difference near 0 then
	// means nothing.
	ConstantDecision CollapseState = "constant_decision"
	// NoBetterThanConstant: the decisions differ, but are right hardly more often
	// than the better constant decision.
	NoBetterThanConstant CollapseState = "no_better_than_constant"
	// CollapseNotEstimable: there are too few records to decide.
	CollapseNotEstimable CollapseState = "not_estimable"
)

// Words is the state as a clause for people.
func (s CollapseState) Words() string {
	switch s {
	case NoCollapse:
		return "decisions differ and beat a constant decision"
	case ConstantDecision:
		return "nearly every record gets the same decision"
	case NoBetterThanConstant:
		return "hardly more accurate than a constant decision"
	}
	return "too few records"
}

// CollapseOptions says where a classifier counts as collapsed.
type CollapseOptions struct {
	// Share is the share of either decision below which decisions without
	// skill count as constant, if the label of that kind is more frequent;
	// in (0, 0.5).
	Share float64
	// MinimumSkill is the least share of the better constant decision's errors
	// that a useful classifier avoids; in [0, 1). It scales with the data where
	// a margin in accuracy would not: at a prevalence of 1 % every classifier is
	// within 0.01 of the constant one.
	MinimumSkill float64
	// MinimumRecords is the least effective number of records for a state.
	MinimumRecords float64
}

// DefaultCollapseOptions: 1 % of the records, 5 % of the errors (on the Adult
// records 0.012 in accuracy), 500 records (at which a share of 1 % is five).
func DefaultCollapseOptions() CollapseOptions {
	return CollapseOptions{Share: 0.01, MinimumSkill: 0.05, MinimumRecords: 500}
}

// borderShare keeps a rare label from counting as collapse: a decision must be
// that much rarer than its label, as well as rarer than Share.
const borderShare = 0.25

// Collapse is a state with the numbers it rests on.
type Collapse struct {
	State            CollapseState
	SelectionRate    Measure
	BaseRate         Measure
	Accuracy         Measure
	ConstantAccuracy Measure
}

// DetectCollapse judges a classifier by its confusion, with intervals of the
// given level.
func DetectCollapse(c Confusion, level float64, o CollapseOptions) Collapse {
	result := Collapse{
		State: CollapseNotEstimable, SelectionRate: c.SelectionRate(level), BaseRate: c.BaseRate(level),
		Accuracy: c.Accuracy(level), ConstantAccuracy: c.ConstantAccuracy(level),
	}
	if c.Records == 0 || c.Effective() < o.MinimumRecords*(1-1e-9) {
		return result
	}
	selected, positive := result.SelectionRate.Value, result.BaseRate.Value
	useful := skill(result.Accuracy.Value, result.ConstantAccuracy.Value) >= o.MinimumSkill
	switch {
	case selected == 0 || selected == 1, !useful && (rarer(selected, positive, o.Share) || rarer(1-selected, 1-positive, o.Share)):
		result.State = ConstantDecision
	case !useful:
		result.State = NoBetterThanConstant
	default:
		result.State = NoCollapse
	}
	return result
}

func rarer(decision, label, share float64) bool {
	return decision < share && decision < borderShare*label
}

// skill is the share of the constant decision's errors that are avoided, 1 if it
// makes none and neither does the classifier.
func skill(accuracy, constant float64) float64 {
	if constant == 1 {
		if accuracy == 1 {
			return 1
		}
		return math.Inf(-1)
	}
	return (accuracy - constant) / (1 - constant)
}
