package linear

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/logistic"
)

// Loss is what the margin of a record costs, given its label.
type Loss interface {
	// Gradient is the derivative of the loss in the margin, in units of Unit.
	Gradient(margin, label float64) float64
	// Curvature is the second derivative where that is constant: steps are then implicit in the loss. It is 0 for a
	// loss whose steps are explicit.
	Curvature() float64
	// Constants are what is tuned for the loss.
	Constants() Constants
	// A loss follows the labels that it is measured on.
	Scale
}

// Scale is where labels lie and how far apart, as far as a loss needs that.
type Scale interface {
	// Start takes the first labels, before any is learnt.
	Start(labels []float64)
	// Observe takes in the label of the next record, before its step. weight is relative to the mean weight.
	Observe(label, weight float64, m *Memory)
	// Label is that of a record, which is positive or a number.
	Label(positive bool, number float64) float64
	// Unit is the unit of margins, 0 while there is none.
	Unit() float64
	// Centre is what a margin of 0 predicts, and Prediction what a margin does, within bounds.
	Centre() float64
	Prediction(margin float64) float64
	// Fields codes what has been learnt of the labels.
	Fields(c *codec.Coder)
}

// Constants are what is tuned for a loss.
type Constants struct {
	// Step multiplies the step size.
	Step float64
	// StartError is what the squared error is taken for at first: half of that of a constant margin.
	StartError float64
	// Precision of the weights of a group before it is known, and its bounds.
	StartPrecision, LeastPrecision, MostPrecision float64
}

// Memory is how much of the past counts.
type Memory struct {
	Records    float64 // learnt, the present one included
	Forgetting float64 // records
}

// fade is the weight of the newest record in a mean over the last records.
func (m *Memory) fade() float64 { return 1 / min(m.Records, m.Forgetting) }

// The squared error of a model is averaged over errorRecords records, over fewer at first.
const (
	errorRecords = 5000.0
	startRecords = 1000.0
)

func (m *Memory) errorFade() float64 { return 1 / min(startRecords+m.Records, errorRecords) }

// Logistic is the logarithmic loss of a decision, ln(1 + exp(−y·margin)). Labels are 1 and −1.
type Logistic struct{}

// NewLogistic returns the loss.
func NewLogistic() *Logistic { return &Logistic{} }

// Gradient is the error of the probability, in [−1, 1].
func (*Logistic) Gradient(margin, label float64) float64 {
	return -label * logistic.Probability(-label*margin)
}

// Curvature is 0: steps are explicit.
func (*Logistic) Curvature() float64 { return 0 }

// Start does nothing: two classes have a scale.
func (*Logistic) Start([]float64) {}

// Label is 1 or −1.
func (*Logistic) Label(positive bool, _ float64) float64 {
	if positive {
		return 1
	}
	return -1
}

// Centre is 0.
func (*Logistic) Centre() float64 { return 0 }

// Prediction is the margin itself.
func (*Logistic) Prediction(margin float64) float64 { return margin }

// Observe does nothing.
func (*Logistic) Observe(_, _ float64, _ *Memory) {}

// Unit is 1: margins are logarithms of odds.
func (*Logistic) Unit() float64 { return 1 }

// Constants of the logistic loss.
func (*Logistic) Constants() Constants {
	return Constants{Step: 1, StartError: .125, StartPrecision: 5, LeastPrecision: .3, MostPrecision: 300}
}

// Fields codes nothing.
func (*Logistic) Fields(*codec.Coder) {}

// Squared is the squared loss of a prediction, ½ (margin − label)², in units of the labels' spread and with labels less
// their centre.
type Squared struct{ Labels }

// NewSquared returns the loss before any label.
func NewSquared() *Squared { return &Squared{} }

// Gradient is the residual in units of the spread, bounded.
func (s *Squared) Gradient(margin, label float64) float64 {
	return bounded((margin-(label-s.centre))/s.Spread(), largestDeviation)
}

// Curvature is 1.
func (*Squared) Curvature() float64 { return 1 }

// Label is the number.
func (*Squared) Label(_ bool, number float64) float64 { return number }

// Observe follows where labels lie.
func (s *Squared) Observe(label, weight float64, m *Memory) { s.observe(label, weight, m.Forgetting) }

// Unit is the spread of the labels.
func (s *Squared) Unit() float64 { return s.Spread() }

// Constants of the squared loss, which is curved four times as much as the logistic one.
func (*Squared) Constants() Constants {
	return Constants{Step: .5, StartError: .5, StartPrecision: 10, LeastPrecision: .3, MostPrecision: 10000}
}
