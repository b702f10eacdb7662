package document

import "github.com/fairstream/fairstream/pkg/fairness"

// Report is a measurement of one model on a set of records that it had not learnt from. Either Decisions or Predictions
// is set.
type Report struct {
	// Records is how many records were measured.
	Records int64 `json:"records"`
	*Decisions
	*Predictions
	// Constraints has one estimate for each comparison, equalized odds split.
	Constraints []fairness.Estimate `json:"constraints"`
	// Collapse says whether decisions or predictions depend on the records at all.
	Collapse fairness.CollapseState `json:"collapse"`
}

// Decisions is the quality of a classifier.
type Decisions struct {
	// Accuracy is the share of right decisions, in [0, 1].
	Accuracy fairness.Measure `json:"accuracy"`
	// LogLoss is the mean −ln P(label).
	LogLoss fairness.Measure `json:"log_loss"`
	// ConstantAccuracy is the accuracy of the better constant decision on the same records.
	ConstantAccuracy fairness.Measure `json:"constant_accuracy"`
	// PositiveLabels and PositiveDecisions are the shares of positive labels and of positive decisions.
	PositiveLabels    fairness.Measure `json:"positive_labels"`
	PositiveDecisions fairness.Measure `json:"positive_decisions"`
}

// Predictions is the quality of a regression.
type Predictions struct {
	// MSE is the mean squared error, in squared units of the label.
	MSE fairness.Measure `json:"mse"`
	// ConstantMSE is that of the mean label of the records learnt before, on the same records.
	ConstantMSE fairness.Measure `json:"constant_mse"`
	// RSquared is 1 − MSE/ConstantMSE: 0 for predictions worth no more than the mean.
	RSquared fairness.Measure `json:"r_squared"`
}

// ReportDecisions reports on the decisions in t.
func ReportDecisions(t *fairness.Tally, comparisons []fairness.Comparison, o fairness.Options) Report {
	return Report{
		Records: t.Confusion.Records,
		Decisions: &Decisions{
			Accuracy:          t.Confusion.Accuracy(o.Level),
			LogLoss:           t.LogLoss(o.Level),
			ConstantAccuracy:  t.Confusion.ConstantAccuracy(o.Level),
			PositiveLabels:    t.Confusion.BaseRate(o.Level),
			PositiveDecisions: t.Confusion.SelectionRate(o.Level),
		},
		Constraints: t.Estimates(comparisons, o),
		Collapse:    fairness.DetectCollapse(t.Confusion, o.Level, fairness.DefaultCollapseOptions()).State,
	}
}

// ReportPredictions reports on the predictions in t.
func ReportPredictions(t *fairness.RegressionTally, comparisons []fairness.Comparison, o fairness.Options) Report {
	p := &Predictions{
		MSE:         t.Errors.MSE(o.Level),
		ConstantMSE: t.Errors.ConstantMSE(o.Level),
		RSquared:    t.Errors.RSquared(o.Level),
	}
	return Report{
		Records:     t.Errors.Model.Records,
		Predictions: p,
		Constraints: t.Estimates(comparisons, o),
		Collapse:    p.collapse(),
	}
}

// collapse says whether predictions are worth more than the mean label.
func (p *Predictions) collapse() fairness.CollapseState {
	options := fairness.DefaultCollapseOptions()
	switch r := &p.RSquared; {
	case !(r.Effective >= options.MinimumRecords) || !(r.Lo <= r.Hi):
		return fairness.CollapseNotEstimable
	case r.Hi < options.MinimumSkill || r.Lo <= 0:
		return fairness.NoBetterThanConstant
	}
	return fairness.NoCollapse
}
