package main

import (
	"encoding/json"
	"math"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// result is what replay found with one configuration: the JSON object of the command line.
type result struct {
	// Tau is set when the command line gave it.
	Tau *float64 `json:"tau,omitempty"`
	// Relaxation is set when the command line gave several.
	Relaxation surrogate.Name `json:"relaxation,omitempty"`
	// Shuffle is the seed of the records' order if it is not the file's.
	Shuffle *uint64 `json:"shuffle,omitempty"`
	// Records were learnt, Rejected were not.
	Records  int64                   `json:"records"`
	Rejected int64                   `json:"rejected"`
	Reasons  map[record.Reason]int64 `json:"reasons,omitempty"`
	// Seconds is how long the pass took, the holdout not counted.
	Seconds float64 `json:"seconds"`
	// Prequential measures each record before it is learnt, Holdout the final weights on the holdout.
	Prequential evaluation  `json:"prequential"`
	Holdout     *evaluation `json:"holdout,omitempty"`
	// Evaluation measures the final weights on the newest records that are never learnt (evaluation.share).
	Evaluation *evaluation `json:"evaluation,omitempty"`
	Model      learnt      `json:"model"`
	// Label is what a regression knows of the label.
	Label *document.LabelSummary `json:"label,omitempty"`
	field string                 // that holds the label
	// Control is how each enforced constraint is being kept.
	Control []document.Control `json:"control,omitempty"`
	// Conditions names what a person should know before trusting the model.
	Conditions []document.Condition `json:"conditions,omitempty"`
}

// evaluation is a measurement of one model on records it had not learnt from.
type evaluation struct {
	Records  int64 `json:"records"`
	Rejected int64 `json:"rejected,omitempty"`
	*decided
	*predicted
	Constraints []fairness.Estimate `json:"constraints"`
	// Measures are the numbers above with their intervals, counts and methods.
	Measures measures               `json:"measures"`
	Collapse fairness.CollapseState `json:"collapse"`
	// Groups is what the weights do to each group, of a classifier on records held out.
	Groups []groupReport `json:"groups,omitempty"`
	// Unconstrained is the same for the model without constraints that is learnt alongside.
	Unconstrained *evaluation `json:"unconstrained,omitempty"`

	appraisal *appraise.Appraisal // of records held out
}

// decided are the numbers of a classifier, predicted those of a regression.
type decided struct {
	Accuracy         *float64 `json:"accuracy"`
	LogLoss          *float64 `json:"log_loss"`
	ConstantAccuracy *float64 `json:"constant_accuracy"`
}

type predicted struct {
	MSE         *float64 `json:"mse"`
	ConstantMSE *float64 `json:"constant_mse"`
	RSquared    *float64 `json:"r_squared"`
}

// measures are those of a classifier or of a regression.
type measures struct {
	*document.Decisions
	*document.Predictions
	// AUC is the area under the ROC curve, of a classifier on records held out.
	AUC *fairness.Measure `json:"auc,omitempty"`
}

// learnt identifies the weights.
type learnt struct {
	Version       int64  `json:"version"`
	Weights       int    `json:"weights"`
	WeightsSHA256 string `json:"weights_sha256"`
}

// newResult describes what a document says of itself.
func newResult(d *document.Document, seconds float64) *result {
	m := &d.Measurements
	return &result{
		Records: d.Records, Rejected: d.Rejected, Seconds: seconds,
		Prequential: *newEvaluation(&m.Prequential, m.Unconstrained), Evaluation: newEvaluation(m.Evaluation, nil),
		Model: learnt{d.Version, d.Weights, d.WeightsSHA256}, Label: d.Label, field: d.Config.Record.Label.Field,
		Control: m.Control, Conditions: m.Conditions,
	}
}

func newEvaluation(r, unconstrained *document.Report) *evaluation {
	if r == nil {
		return nil
	}
	e := &evaluation{
		Records:       r.Records,
		Constraints:   r.Constraints,
		Measures:      measuresOf(r),
		Collapse:      r.Collapse,
		Unconstrained: newEvaluation(unconstrained, nil),
	}
	if r.Predictions != nil {
		e.predicted = &predicted{number(r.MSE.Value), number(r.ConstantMSE.Value), number(r.RSquared.Value)}
	} else {
		e.decided = &decided{number(r.Accuracy.Value), number(r.LogLoss.Value), number(r.ConstantAccuracy.Value)}
	}
	if e.Constraints == nil {
		e.Constraints = []fairness.Estimate{}
	}
	return e
}

// number is null in JSON when there is none.
func number(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// line is the object in one line.
func (r *result) line() ([]byte, error) {
	text, err := json.Marshal(r)
	return append(text, '\n'), err
}
