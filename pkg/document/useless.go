package document

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The conditions under which weights are useless and are not published.
const (
	// OneLabel: all labels so far are the same, so the learner learns nothing and no difference has a meaning.
	OneLabel ConditionCode = "one_label"
	// NothingEstimable: no enforced constraint can be measured, so none is enforced.
	NothingEstimable ConditionCode = "nothing_estimable"
)

const oneLabelDetail = "all labels so far are the same: correct record.label.field or record.label.positive"

// Judge adds the conditions under which weights are useless, once there are twice minimumRecords records: enough for both
// groups of a comparison. While every label is the same, no constraint has a verdict. enforcing says whether the mode of the
// learner enforces constraints.
func (m *Measurements) Judge(minimumRecords int, enforcing bool) {
	if m.Prequential.Records < 2*int64(minimumRecords) {
		return
	}
	var found []Condition
	if m.Prequential.oneLabel() {
		found = append(found, Condition{OneLabel, "", oneLabelDetail})
		for _, r := range []*Report{&m.Prequential, &m.Recent, m.Unconstrained, m.UnconstrainedRecent} {
			if r != nil {
				withoutVerdict(r.Constraints)
			}
		}
		withoutVerdict(m.Constraints)
	}
	enforced, estimable := false, false
	for i := range m.Constraints {
		if e := &m.Constraints[i]; e.Enforced {
			enforced = true
			estimable = estimable || e.Status != fairness.NotEstimable
		}
	}
	if enforced && !estimable && enforcing {
		found = append(found, Condition{NothingEstimable, "",
			"no enforced constraint can be measured: correct the attribute and the groups under constraints, or wait for more records of these groups"})
	}
	m.Conditions = append(found, m.Conditions...)
}

// Useless returns the reason why the weights must not be published, in words; empty if there is none.
func (m *Measurements) Useless() string {
	for _, c := range m.Conditions {
		if c.Code == OneLabel || c.Code == NothingEstimable || c.Code == NoLabels {
			return c.Detail
		}
	}
	return ""
}

// oneLabel says whether every label of the report was the same.
func (r *Report) oneLabel() bool {
	switch {
	case r.Records == 0:
		return false
	case r.Predictions != nil:
		return math.IsNaN(r.RSquared.Value) // the mean label makes no error
	case r.Decisions != nil:
		return r.ConstantAccuracy.Value == 1
	}
	return false
}

// Reasons of verdicts on criteria that need labels.
const (
	selectiveDetail = "whether a label is known depends on the record, so what holds of the labelled records may not hold of all: see the condition labels_selective"
	neverDetail     = "some records never get a label, so their outcomes stay unknown: see the condition labels_never"
)

// Selective takes back each verdict that a criterion which needs labels is met, because labels are not known of everyone alike; and, if
// never, because there are records about which nothing is known, each difference of such a criterion.
func (m *Measurements) Selective(never bool) {
	of := [][]fairness.Estimate{m.Constraints}
	for _, r := range []*Report{&m.Prequential, &m.Recent, m.Unconstrained, m.UnconstrainedRecent} {
		if r != nil {
			of = append(of, r.Constraints)
		}
	}
	for _, estimates := range of {
		unproven(estimates, never)
	}
}

// Limit is Selective of a report on other records, whose labels came as those that were learnt did, if that depended on the records. r may be nil.
func (m *Measurements) Limit(r *Report) {
	says := func(code ConditionCode) bool {
		return slices.ContainsFunc(m.Conditions, func(c Condition) bool { return c.Code == code })
	}
	if never := says(LabelsNever); r != nil && (never || says(LabelsSelective)) {
		unproven(r.Constraints, never)
	}
}

// unproven is Selective of some estimates.
func unproven(estimates []fairness.Estimate, never bool) {
	for i := range estimates {
		switch e := &estimates[i]; {
		case !e.Criterion.NeedsLabel():
		case never:
			unknown(e, neverDetail)
		case e.Status == fairness.Met:
			e.Status, e.Reason = fairness.Inconclusive, selectiveDetail
		}
	}
}

// withoutVerdict makes every difference not estimable.
func withoutVerdict(estimates []fairness.Estimate) {
	for i := range estimates {
		unknown(&estimates[i], oneLabelDetail)
	}
}

// unknown makes a difference not estimable.
func unknown(e *fairness.Estimate, reason string) {
	e.Value, e.Lo, e.Hi = math.NaN(), math.NaN(), math.NaN()
	if e.RateSides != nil {
		sides := *e.RateSides
		sides.ImpactRatio = fairness.Ratio{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		e.RateSides = &sides
	}
	e.Status, e.Reason = fairness.NotEstimable, reason
}
