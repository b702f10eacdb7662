package findings

import (
	"math"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// quality is one number that says how good weights are, in words: of a classifier accuracy and log loss, of
// a regression R² and the root of the mean squared error, which is in units of the label. The first of them has a
// constant decision or prediction to be compared with.
type quality struct {
	Name     string
	Measure  fairness.Measure
	Constant fairness.Measure // zero if there is none
	inUnits  bool             // of the label
}

// Qualities are the numbers that people are shown, the most important first.
func (m Measures) Qualities() []quality {
	if m.Predictions != nil {
		return []quality{
			{Name: "root mean squared error", Measure: root(m.MSE), Constant: root(m.ConstantMSE), inUnits: true},
			{Name: "R²", Measure: m.RSquared},
		}
	}
	found := []quality{
		{Name: "accuracy", Measure: m.Accuracy, Constant: m.ConstantAccuracy},
		{Name: "log loss", Measure: m.LogLoss},
	}
	if m.AUC != nil {
		found = append(found, quality{Name: "AUC", Measure: *m.AUC})
	}
	return found
}

// ConstantWords names what the weights are compared with.
func (m Measures) ConstantWords() string {
	if m.Predictions != nil {
		return "constant prediction"
	}
	return "constant decision"
}

// root is that of a measure that is a square.
func root(m fairness.Measure) fairness.Measure {
	m.Value, m.Lo, m.Hi = math.Sqrt(m.Value), math.Sqrt(m.Lo), math.Sqrt(m.Hi)
	return m
}

// Format is that of one of the quality's numbers.
func (q quality) Format(m fairness.Measure) string {
	if q.inUnits {
		return english.InUnits(m.Lo, m.Hi, "%")
	}
	return "%.3f"
}

func (q quality) Words() string {
	return english.WithInterval(q.Measure.Value, q.Measure.Lo, q.Measure.Hi, q.Format(q.Measure))
}

func (q quality) ConstantWords() string {
	if q.Constant.Level == 0 {
		return ""
	}
	return english.WithInterval(q.Constant.Value, q.Constant.Lo, q.Constant.Hi, q.Format(q.Constant))
}

// MeasuresOf takes the measures out of a report.
func MeasuresOf(r *document.Report) Measures {
	return Measures{Decisions: r.Decisions, Predictions: r.Predictions}
}

// Measures are those of a classifier or of a regression.
type Measures struct {
	*document.Decisions
	*document.Predictions
	// AUC is the area under the ROC curve, of a classifier on records held out.
	AUC *fairness.Measure `json:"auc,omitempty"`
}
