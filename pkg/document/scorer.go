package document

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// Scorer weighs records by a published document. It belongs to one goroutine; a Document makes any
// number of them. Fields and values that the model does not know contribute nothing.
type Scorer struct {
	encoder *features.Frozen
	weights []float64
	row     features.Row
	columns []features.Column
	unread  []string
}

// Scorer returns a scorer of its own, for a document of either task.
func (d *Document) Scorer() (*Scorer, error) {
	b, err := readBody(d.Model)
	if err != nil {
		return nil, err
	}
	return b.scorer()
}

func (b *body) scorer() (*Scorer, error) {
	encoder, weights, err := b.assemble()
	if err != nil {
		return nil, err
	}
	return &Scorer{encoder: encoder, weights: weights, columns: encoder.Parts().Columns}, nil
}

// Fork returns a scorer like s for another goroutine, in little time and memory: they share encoder and weights.
func (s *Scorer) Fork() *Scorer {
	return &Scorer{encoder: s.encoder.Fork(), weights: s.weights, columns: s.columns}
}

// Margin is w⋅x, any number. It does not allocate once the scorer's buffers have grown.
func (s *Scorer) Margin(r *record.Record) float64 {
	s.encoder.Encode(&s.row, r)
	return s.product(s.weights)
}

// Unread names the columns of the last record whose values are of another type than was learnt, so that they contributed nothing of their
// own: a text in a column of numbers, an array or an object. It is nil if there are none, and valid until the next record.
func (s *Scorer) Unread() []string {
	columns := s.encoder.Unread()
	if len(columns) == 0 {
		return nil
	}
	s.unread = s.unread[:0]
	for _, i := range columns {
		s.unread = append(s.unread, s.columns[i].Name)
	}
	return s.unread
}

// product is the margin that weights give the record that was encoded last.
func (s *Scorer) product(weights []float64) float64 {
	margin := 0.0
	for i, j := range s.row.Index {
		margin += float64(weights[j] * s.row.At(i))
	}
	return margin
}

// products are the margins that both weights give the record that was encoded last. An addition waits for the one before it, so two sums take hardly longer
// than one.
func (s *Scorer) products(one, other []float64) (a, b float64) {
	values, x := s.row.Value, 1.0
	other = other[:len(one)]
	for i, j := range s.row.Index {
		if i < len(values) {
			x = float64(values[i])
		}
		a += float64(one[j] * x)
		b += float64(other[j] * x)
	}
	return a, b
}

// Encode returns the non-zeros of a record, with all of its values spelt out. Indices are in an
// order of the scorer's own, below Weights of the document. The row is valid until the next call of a method.
func (s *Scorer) Encode(r *record.Record) features.Row {
	s.encoder.Encode(&s.row, r)
	s.row.Spell()
	return s.row
}

// Classifier decides records.
type Classifier struct {
	*Scorer
	threshold   float64
	probability []float64 // weights, nil if the document has none
}

// Decision is a decision and what it rests on.
type Decision struct {
	// Margin is w⋅x.
	Margin float64
	// Score is 1/(1+exp(−Margin)). Under constraints it orders records but is not calibrated.
	Score float64
	// Probability is the calibrated probability of the positive label, NaN if the document gives none.
	Probability float64
	// Positive is Margin > the document's threshold, which is 0.
	Positive bool
}

// NewDecision decides by a margin alone, at a threshold.
func NewDecision(margin, threshold float64) Decision {
	return Decision{Margin: margin, Score: logistic.Probability(margin), Probability: math.NaN(), Positive: margin > threshold}
}

// Classifier returns what decides by the document. A document of a regression is an error.
func (d *Document) Classifier() (*Classifier, error) {
	b, scorer, err := d.load(Classification)
	if err != nil {
		return nil, err
	}
	probability, err := d.Probability.read(len(scorer.weights))
	if err != nil {
		return nil, err
	}
	return &Classifier{scorer, *b.Threshold, probability}, nil
}

// Fork is Scorer.Fork.
func (c *Classifier) Fork() *Classifier {
	return &Classifier{c.Scorer.Fork(), c.threshold, c.probability}
}

// Decide decides a record. It does not allocate once the scorer's buffers have grown.
func (c *Classifier) Decide(r *record.Record) Decision {
	if c.probability == nil {
		return NewDecision(c.Margin(r), c.threshold)
	}
	c.encoder.Encode(&c.row, r)
	margin, logOdds := c.products(c.weights, c.probability)
	decision := NewDecision(margin, c.threshold)
	decision.Probability = logistic.Probability(logOdds)
	return decision
}

// GivesProbability reports whether decisions have a Probability.
func (c *Classifier) GivesProbability() bool { return c.probability != nil }

// Regressor predicts the labels of records.
type Regressor struct{ *Scorer }

// Regressor returns what predicts by the document. A document of a classifier is an error.
func (d *Document) Regressor() (*Regressor, error) {
	_, scorer, err := d.load(Regression)
	if err != nil {
		return nil, err
	}
	return &Regressor{scorer}, nil
}

// Fork is Scorer.Fork.
func (p *Regressor) Fork() *Regressor { return &Regressor{p.Scorer.Fork()} }

// Predict returns the prediction for a record, in units of the label. It does not allocate once the scorer's buffers
// have grown.
func (p *Regressor) Predict(r *record.Record) float64 { return p.Margin(r) }

// load reads the model of a document that must be of a task.
func (d *Document) load(task Task) (*body, *Scorer, error) {
	if d.Task != task {
		return nil, nil, fmt.Errorf("document: its task is %s, not %s", d.Task, task)
	}
	b, err := readBody(d.Model)
	if err != nil {
		return nil, nil, err
	}
	if (b.Threshold != nil) != (task == Classification) || (d.Label != nil) != (task == Regression) {
		return nil, nil, fmt.Errorf("document: its model, its label and its task %s do not match", task)
	}
	scorer, err := b.scorer()
	return &b, scorer, err
}

// Decider decides records that come as bytes. It belongs to one goroutine; a Document makes any number of them.
type Decider struct {
	classifier *Classifier
	decoder    *record.Decoder
	record     record.Record
}

// Decider returns what decides records by the document, as the job that learnt it reads them, but for record.at: they have no envelope. A document of a regression is an
// error.
func (d *Document) Decider() (*Decider, error) {
	classifier, err := d.Classifier()
	if err != nil {
		return nil, err
	}
	schema, err := d.Schema()
	if err != nil {
		return nil, err
	}
	return &Decider{classifier: classifier, decoder: schema.Bare().NewDecoder()}, nil
}

// DecideJSON decides a record that is one JSON object; it needs no label. The error is a *record.Rejection, which names the field and
// no value. text may be used again afterwards.
func (d *Decider) DecideJSON(text []byte) (Decision, error) {
	if err := d.decoder.DecodeJSON(&d.record, text); err != nil {
		return Decision{}, err
	}
	return d.classifier.Decide(&d.record), nil
}

// Parts returns the model as plain data, for programs that write it in another format: the encoder, one weight for each of its indices,
// and the weights of the model without constraints, nil if the document gives no probability.
func (d *Document) Parts() (parts features.Parts, weights, probability []float64, err error) {
	_, scorer, err := d.load(d.Task)
	if err != nil {
		return parts, nil, nil, err
	}
	if probability, err = d.Probability.read(len(scorer.weights)); err != nil {
		return parts, nil, nil, err
	}
	return scorer.encoder.Parts(), scorer.weights, probability, nil
}
