package board

import "github.com/fairstream/fairstream/pkg/fairness"

// Subject is what is judged: the decisions as they were made, another model, or a version.
type Subject struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Kind is as_made, external or version.
	Kind    string `json:"kind"`
	Records int64  `json:"records"`
	// Since is the number of the record that it begins at.
	Since int64 `json:"since"`
	// Cluster is the field that names a person, of whom one decision counts for sequence and alarm; nil if each record counts.
	Cluster *Cluster `json:"cluster,omitempty"`
}

// Cluster says which decisions of a subject do not count for sequence and alarm.
type Cluster struct {
	Field string `json:"field"`
	// Repeated are decisions about persons met before. Unknown lack the field, and count each as one about somebody else.
	Repeated int64 `json:"repeated"`
	Unknown  int64 `json:"unknown"`
}

// Group counts the decisions on one group or intersection. Members maps each attribute to the group's value of it.
type Group struct {
	Subject   string            `json:"subject"`
	Attribute string            `json:"attribute"`
	Group     string            `json:"group"`
	Members   map[string]string `json:"members"`
	Records   int64             `json:"records"`
	// Share of all records of the attribute whose group is known.
	Share    Number `json:"share"`
	Positive int64  `json:"positive"`
	// Rate is the share of positive decisions, Lo and Hi its pointwise interval.
	Rate Number `json:"rate"`
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
	// ImpactRatio is Rate divided by the highest rate of the attribute's groups.
	ImpactRatio Number `json:"impact_ratio"`
	Labelled    int64  `json:"labelled"`
	TP          int64  `json:"tp"`
	FP          int64  `json:"fp"`
	FN          int64  `json:"fn"`
	TN          int64  `json:"tn"`
	Unlabelled  int64  `json:"unlabelled"`
	// UnlabelledPositive and UnlabelledNegative are Unlabelled by decision.
	UnlabelledPositive int64 `json:"unlabelled_positive"`
	UnlabelledNegative int64 `json:"unlabelled_negative"`
	// Unknown is true of the records whose attribute is missing: they enter no comparison.
	Unknown bool `json:"unknown"`
	// Reason says why Rate is not known; empty if it is.
	Reason string `json:"reason"`
}

// Gap is the difference of a measure between two groups.
type Gap struct {
	Subject string `json:"subject"`
	// Measure is selection_rate, tpr, fpr, ppv or accuracy.
	Measure string `json:"measure"`
	Group   string `json:"group"`
	Versus  string `json:"versus"`
	// Constraint is the name of the constraint whose groups these are.
	Constraint string `json:"constraint"`
	Value      Number `json:"value"`
	Lo         Number `json:"lo"`
	Hi         Number `json:"hi"`
	// Tau is that of the constraint if it bounds this measure, else null.
	Tau    Number          `json:"tau"`
	Status fairness.Status `json:"status"`
	Reason string          `json:"reason"`
	// NGroup and NVersus are the records of which the measure is a share, and EffectiveGroup and EffectiveVersus what they are worth: see Constraint.
	NGroup          int64  `json:"n_group"`
	NVersus         int64  `json:"n_versus"`
	EffectiveGroup  Number `json:"effective_n_group"`
	EffectiveVersus Number `json:"effective_n_versus"`
}

// Calibration is how well scores of a group match its labels.
type Calibration struct {
	Subject string `json:"subject"`
	Group   string `json:"group"`
	// SignedError is the mean of score minus label.
	SignedError Number `json:"signed_error"`
	Bins        []Bin  `json:"bins"`
}

// Bin holds the records whose score is from From up to To.
type Bin struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Records   int64   `json:"records"`
	MeanScore Number  `json:"mean_score"`
	// Rate is the share of positive labels, Lo and Hi its interval.
	Rate Number `json:"rate"`
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
}

// Driver is a column and what it adds to the difference of a constraint's groups.
type Driver struct {
	Constraint string `json:"constraint"`
	Group      string `json:"group"`
	Versus     string `json:"versus"`
	Column     string `json:"column"`
	// Contribution is the mean contribution of the column to the margin in group minus that in versus.
	Contribution Number `json:"contribution"`
	// Importance is the standard deviation of what the column contributes to the margin.
	Importance Number `json:"importance"`
	// Share is the absolute contribution as a share of that of all columns.
	Share Number `json:"share"`
	// Total is the sum of the contributions of all columns, also of those that are not listed.
	Total Number `json:"total"`
}
