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
	// Evaluation is what these weights decide of the newest records that are never learnt (evaluation.share), up to
	// learner.window: its intervals need no correction. Nil if no records are reserved.
	Evaluation *Report `json:"evaluation,omitempty"`
	// Missing compares the recent records that lack an attribute of a constraint with the others; none if no recent
	// record lacks one.
	Missing []Missing `json:"missing,omitempty"`
	// Weighed is how recent labelled records are weighed where labels depend on records: first all of them, then those that the sides of each
	// constraint given the label are about. None if all weights are equal.
	Weighed []Weighed `json:"weighed,omitempty"`
	// Control is how each enforced constraint is being kept.
	Control []Control `json:"control,omitempty"`
	// Conditions names what a person should know before trusting the model.
	Conditions []Condition `json:"conditions,omitempty"`
}

// complete makes the reports of a document that was read be of its task, whatever they hold.
func (m *Measurements) complete(task Task) {
	for _, r := range [...]*Report{&m.Prequential, &m.Recent, m.Unconstrained, m.UnconstrainedRecent, m.Evaluation} {
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
	// Group is the first group, which tells the constraints of group: each apart.
	Group string `json:"group"`
	// Multiplier is the Lagrange multiplier; its sign is that of the difference it works against.
	Multiplier float64 `json:"multiplier"`
	// Target is the absolute difference that is aimed at on recent records: tau less Theta, the
	// allowance for sampling error, and Optimism, the excess that unseen records showed over the aim (of a
	// regression; 0 in classification); in both tasks at least a fifth of tau.
	Target   float64 `json:"target"`
	Theta    float64 `json:"theta"`
	Optimism float64 `json:"optimism"`
	// Difference is the difference of tracked rates that the multiplier ascends on, R(u) in docs/learner.md. Of a
	// classifier in mode adaptive.
	Difference float64 `json:"difference,omitzero"`
	// EffectiveConstant is the c of the paper's threshold c*tau that was found on the way: c*tau is the value of the relaxation
	// at the published weights, plus what is left of tau.
	EffectiveConstant float64 `json:"effective_c,omitempty"`
	// Slackness is |multiplier| × (difference in the multiplier's direction − target): 0 but for chance where the
	// multiplier is as it should be (complementary slackness).
	Slackness float64 `json:"slackness,omitzero"`
	// Reachable is false while no multiplier alone reaches the target on the records of the window, and a
	// shift of the threshold has to.
	Reachable bool `json:"reachable"`
	// Changes is how often the records changed so much that older ones were dropped from the window.
	Changes int64 `json:"changes"`
}

// Condition is a fact about the job that a person should know before using the weights.
type Condition struct {
	// Code is the kind of condition, one of the constants below.
	Code ConditionCode `json:"code"`
	// Constraint is the name of the constraint that is affected; empty if the condition concerns the whole job.
	Constraint string `json:"constraint,omitempty"`
	// Detail explains the condition in one sentence, and usually what to do about it.
	Detail string `json:"detail"`
}

// ConditionCode names a condition for logs, metrics and alerts.
type ConditionCode string

// The conditions.
const (
	// Unreachable: on recent records, only constant decisions (or nearly constant ones) meet the enforced constraints.
	// The constraints contradict each other, or the columns describe the groups as much as the label.
	Unreachable ConditionCode = "unreachable"
	// TooFewRecords: a group has too few records to be measured, so the constraint cannot be enforced.
	TooFewRecords ConditionCode = "too_few_records"
	// Imprecise: the interval reaches farther than tau to either side of the difference, so that no difference could be
	// shown to be within tau.
	Imprecise ConditionCode = "imprecise"
	// Collapsed: decisions are constant, or nearly so and hardly better; a small difference then has no meaning.
	Collapsed ConditionCode = "constant_decision"
	// Useless: decisions differ between records, but are hardly better than constant ones.
	Useless ConditionCode = "no_better_than_constant"
	// ColumnsIgnored: the records have more columns than learner.vocabulary.columns; later ones are not encoded.
	ColumnsIgnored ConditionCode = "columns_ignored"
	// ColumnsLeftOut: columns are not encoded, because they are identifiers, times or free text beyond doubt.
	ColumnsLeftOut ConditionCode = "columns_left_out"
	// VocabularyFull: learner.vocabulary.levels are taken; later values share weights.
	VocabularyFull ConditionCode = "vocabulary_full"
	// NoLabels: many records came, and none of them has a label: its field may be misspelt, or labels are late.
	NoLabels ConditionCode = "no_labels"
	// LabelsSelective: whether the label of a record is known depends on the record. Measurements that need a label describe the labelled records.
	LabelsSelective ConditionCode = "labels_selective"
	// LabelsNever: records of a group, or with a decision, never have a label, so their outcomes are unknown.
	LabelsNever ConditionCode = "labels_never"
	// LabelsOpen: many records have no label yet, and none has stopped waiting, so nobody knows which ones never get one.
	LabelsOpen ConditionCode = "labels_open"
	// FewRecordsPerWeight: the records are few for the weights in use, and accuracy would grow with more of them.
	FewRecordsPerWeight ConditionCode = "few_records_per_weight"
	// BelowSamplingError: sampling error takes four fifths of tau or more, so that differences within tau cannot be
	// promised at learner.confidence.
	BelowSamplingError ConditionCode = "tau_below_sampling_error"
	// GroupsIgnored: an attribute has more values than a constraint of each, or its strata, tell apart.
	GroupsIgnored ConditionCode = "groups_ignored"
	// Unsteady: the records changed three times in the last 40,000, or twice, in the same direction or beyond doubt, or a difference moves within those
	// that it is measured on. What holds for the recent ones may not hold for the next.
	Unsteady ConditionCode = "unsteady"
	// OneSideAway: one group of an enforced constraint has stayed away while half of the records that the other is measured on
	// came. The interval compares different times, and may miss.
	OneSideAway ConditionCode = "one_side_away"
	// FieldsMoved: the newest 2,000 records have values in an attribute or a column that the 50,000 before them hardly had, or lack
	// all others that they had, as sorted records do, or many values are more or less frequent. What is measured on the recent records may not hold for the
	// next.
	FieldsMoved ConditionCode = "fields_moved"
	// OneValue: all records so far have the same value in a column, as in the first run of sorted records. Nothing is known of
	// records with another.
	OneValue ConditionCode = "one_value"
	// RepeatedRecords: many records are copies of one shortly before. Intervals and the target take them for independent ones, and what a model owes to
	// a record is not taken out of the margin of its copy.
	RepeatedRecords ConditionCode = "repeated_records"
	// PriceJumped: the accuracy that the constraints cost changed by more than 0.02 within the last 8,192 records, and by more than
	// chance explains.
	PriceJumped ConditionCode = "price_jumped"
	// MissingWithBias: the records without the attribute of a constraint differ from the others, in labels or in decisions, by
	// more than chance, and so much that the difference could change by a fifth of tau or more.
	MissingWithBias ConditionCode = "missing_with_bias"
	// MostlyMissing: more than half of the recent records lack the attribute of a constraint.
	MostlyMissing ConditionCode = "mostly_missing"
	// BelowSmoothing: a group of an enforced constraint is less than 1 % of the records, where the difference that its
	// multiplier follows is smoothed.
	BelowSmoothing ConditionCode = "group_below_smoothing"
	// OneLabelRecently: all recent labels are the same, though earlier ones were not.
	OneLabelRecently ConditionCode = "one_label_recently"
)

// Weighed are labelled records that stand for others (docs/labels.md).
type Weighed struct {
	// Constraint and Group name the side of a constraint that the records are about; both are empty for all labelled records.
	Constraint string `json:"constraint,omitempty"`
	Group      string `json:"group,omitempty"`
	// Records is how many there are, and Effective how many of equal weights would be worth as much: (Σw)²/Σw².
	Records   int64   `json:"records"`
	Effective float64 `json:"effective_n"`
	// Bounded is the share of them whose weight is bounded, in [0, 1]: as far as it is, what is measured is about labelled records rather than all.
	Bounded float64 `json:"bounded"`
}

// NewWeighed describes records.
func NewWeighed(constraint, group string, w *fairness.Weighed) Weighed {
	return Weighed{Constraint: constraint, Group: group, Records: w.Records, Effective: w.Effective(), Bounded: float64(w.Bounded) / float64(max(1, w.Records))}
}

// Missing compares the recent records that lack an attribute with those that have it. The constraints on the attribute speak of
// the latter only.
type Missing struct {
	Attribute string `json:"attribute"`
	// Records is how many recent records lack the attribute, and Share is their share by weight.
	Records int64   `json:"records"`
	Share   float64 `json:"share"`
	// Labels are the mean labels, and Decisions the mean decisions or predictions, before learning. The mean of 0 and 1 is the
	// share of positive ones.
	Labels    KnownAndMissing `json:"labels"`
	Decisions KnownAndMissing `json:"decisions"`
}

// KnownAndMissing is a mean of the records with an attribute, and of those without it.
type KnownAndMissing struct {
	Known   fairness.Measure `json:"known"`
	Missing fairness.Measure `json:"missing"`
}

// NewMissing describes an absence, with intervals of a level.
func NewMissing(attribute string, a *fairness.Absence, level float64) Missing {
	return Missing{Attribute: attribute, Records: a.Missing.Labels.Records, Share: a.Share(),
		Labels:    KnownAndMissing{a.Known.Labels.Measure(level), a.Missing.Labels.Measure(level)},
		Decisions: KnownAndMissing{a.Known.Decided.Measure(level), a.Missing.Decided.Measure(level)}}
}

// Spread is how the values of columns were spread among the records that were learnt, the older ones faded.
type Spread struct {
	// Records is how many records of equal weight the shares are worth. One of several is looked at.
	Records float64        `json:"records"`
	Columns []ColumnSpread `json:"columns"`
}

// ColumnSpread is that of one column.
type ColumnSpread struct {
	Name string `json:"name"`
	// Shares are of the records, by the cell of their value (see features.Frozen.VisitCells). What is missing to 1 had no such field.
	Shares []float64 `json:"shares"`
}
