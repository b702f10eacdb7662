package document

import (
	"cmp"

	"github.com/fairstream/fairstream/pkg/fairness"
)

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

// complete makes the reports of a document that was read be of its task, whatever they hold.
func (m *Measurements) complete(task Task) {
	for _, r := range [...]*Report{&m.Prequential, &m.Recent, m.Unconstrained, m.UnconstrainedRecent} {
		switch {
		case r == nil:
		case task == Regression:
			r.Decisions, r.Predictions = nil, cmp.Or(r.Predictions, &Predictions{})
		default:
			r.Decisions, r.Predictions = cmp.Or(r.Decisions, &Decisions{}), nil
		}
	}
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
	// ColumnsIgnored: records bring more columns than learner.vocabulary.columns, and the later ones are not encoded.
	ColumnsIgnored ConditionCode = "columns_ignored"
	// BelowSamplingError: chance makes holdouts differ by more than tau, whatever the weights. Of a regression.
	BelowSamplingError ConditionCode = "tau_below_sampling_error"
)
