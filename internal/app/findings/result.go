package findings

import (
	"encoding/json"
	"math"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Result is what replay found with one configuration: the JSON object of the command line.
type Result struct {
	// Tau is set when the command line gave it.
	Tau *float64 `json:"tau,omitempty"`
	// Relaxation is set when the command line gave several.
	Relaxation surrogate.Name `json:"relaxation,omitempty"`
	// Shuffle is the seed of the records' order if it is not the file's.
	Shuffle *uint64 `json:"shuffle,omitempty"`
	// Unlabelled came without a label, and count where none is needed.
	Unlabelled int64 `json:"unlabelled,omitempty"`
	// Records were learnt, Rejected were not.
	Records  int64                   `json:"records"`
	Rejected int64                   `json:"rejected"`
	Reasons  map[record.Reason]int64 `json:"reasons,omitempty"`
	// Seconds is how long the pass took, the holdout not counted.
	Seconds float64 `json:"seconds"`
	// Prequential measures each record before it is learnt, Holdout the final weights on the holdout.
	Prequential Evaluation  `json:"prequential"`
	Holdout     *Evaluation `json:"holdout,omitempty"`
	// Evaluation measures the final weights on the newest records that are never learnt (evaluation.share).
	Evaluation *Evaluation `json:"evaluation,omitempty"`
	Model      Learnt      `json:"model"`
	// Label is what a regression knows of the label.
	Label *document.LabelSummary `json:"label,omitempty"`
	field string                 // that holds the label
	// Control is how each enforced constraint is being kept.
	Control []document.Control `json:"control,omitempty"`
	// Conditions names what a person should know before trusting the model.
	Conditions []document.Condition `json:"conditions,omitempty"`
}

// Evaluation is a measurement of one model on records it had not learnt from.
type Evaluation struct {
	Records  int64 `json:"records"`
	Rejected int64 `json:"rejected,omitempty"`
	*decided
	*predicted
	Constraints []fairness.Estimate `json:"constraints"`
	// Measures are the numbers above with their intervals, counts and methods.
	Measures Measures               `json:"measures"`
	Collapse fairness.CollapseState `json:"collapse"`
	// Groups is what the weights do to each group, of a classifier on records held out.
	Groups []groupReport `json:"groups,omitempty"`
	// Unconstrained is the same for the model without constraints that is learnt alongside.
	Unconstrained *Evaluation `json:"unconstrained,omitempty"`

	Appraisal *appraise.Appraisal `json:"-"` // of records held out
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

// Learnt identifies the weights.
type Learnt struct {
	Version       int64  `json:"version"`
	Weights       int    `json:"weights"`
	WeightsSHA256 string `json:"weights_sha256"`
}

// NewResult describes what a document says of itself.
func NewResult(d *document.Document, seconds float64) *Result {
	m := &d.Measurements
	return &Result{
		Records: d.Records, Unlabelled: d.Unlabelled, Rejected: d.Rejected, Seconds: seconds,
		Prequential: *NewEvaluation(&m.Prequential, m.Unconstrained), Evaluation: NewEvaluation(m.Evaluation, nil),
		Model: Learnt{d.Version, d.Weights, d.WeightsSHA256}, Label: d.Label, field: d.Config.Record.Label.Field,
		Control: m.Control, Conditions: m.Conditions,
	}
}

// NewEvaluation is a report of a document beside that of the model without constraints, if there is one.
func NewEvaluation(r, unconstrained *document.Report) *Evaluation {
	if r == nil {
		return nil
	}
	e := &Evaluation{
		Records:       r.Records,
		Constraints:   r.Constraints,
		Measures:      MeasuresOf(r),
		Collapse:      r.Collapse,
		Unconstrained: NewEvaluation(unconstrained, nil),
	}
	if r.Predictions != nil {
		e.predicted = &predicted{Finite(r.MSE.Value), Finite(r.ConstantMSE.Value), Finite(r.RSquared.Value)}
	} else {
		e.decided = &decided{Finite(r.Accuracy.Value), Finite(r.LogLoss.Value), Finite(r.ConstantAccuracy.Value)}
	}
	if e.Constraints == nil {
		e.Constraints = []fairness.Estimate{}
	}
	return e
}

// Finite is null in JSON when there is none.
func Finite(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// Line is the object in one line.
func (r *Result) Line() ([]byte, error) {
	text, err := json.Marshal(r)
	return append(text, '\n'), err
}

// LevelOf is the level of the intervals.
func LevelOf(e *Evaluation) float64 { return e.Measures.Qualities()[0].Measure.Level }

// Measured is the evaluation that people are shown: on the holdout if there is one.
func (r *Result) Measured() *Evaluation {
	if r.Holdout != nil {
		return r.Holdout
	}
	return &r.Prequential
}
