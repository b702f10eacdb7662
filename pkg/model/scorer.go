package model

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// Scorer decides records, or predicts their labels, by a published document. It belongs to one goroutine; a Document makes any
// number of them.
type Scorer struct {
	encoder   *features.Frozen
	weights   []float64
	decides   bool // a regression does not
	threshold float64
	row       Row
}

// Score is a decision and what it rests on. Of a regression it is a prediction alone.
type Score struct {
	// Margin is w⋅x: the prediction of a regression, in units of the label.
	Margin float64
	// Probability is 1/(1+exp(−Margin)). Under constraints it orders records but is not calibrated.
	Probability float64
	// Decision is Margin > the document's threshold, which is 0.
	Decision bool
}

// Score decides a record. Fields and values that the model does not know contribute nothing. It does not
// allocate once its buffers have grown.
func (s *Scorer) Score(r *record.Record) Score {
	s.encoder.Encode(&s.row, r.Features, r.Layout)
	margin := 0.0
	for i, j := range s.row.Index {
		margin += float64(s.weights[j] * s.row.At(i))
	}
	return newScore(margin, s.threshold, s.decides)
}

func newScore(margin, threshold float64, decides bool) Score {
	if !decides {
		return Score{Margin: margin}
	}
	return Score{Margin: margin, Probability: surrogate.Logistic(margin), Decision: margin > threshold}
}

// Decides says whether scores are decisions; those of a regression are predictions.
func (s *Scorer) Decides() bool { return s.decides }

// Encode returns the non-zeros of a record: the columns that the document's weights belong to, in an
// order of the scorer's own. The row is valid until the next call of Encode or Score.
func (s *Scorer) Encode(r *record.Record) Row {
	s.encoder.Encode(&s.row, r.Features, r.Layout)
	s.row.Spell()
	return s.row
}

// Evaluation measures a document on labelled records that it has not learnt from.
type Evaluation struct {
	scorer      *Scorer
	grouper     *fairness.Grouper
	comparisons []fairness.Comparison
	options     fairness.Options
	tally       *fairness.Tally           // of decisions, or
	predictions *fairness.RegressionTally // of predictions, beside a constant one
	constant    float64
	levels      []fairness.Level
	sides       []fairness.Side
}

// NewEvaluation prepares the measurement of a document against its own constraints.
func NewEvaluation(d *Document) (*Evaluation, error) {
	scorer, err := d.Scorer()
	if err != nil {
		return nil, err
	}
	config := d.Config.WithDefaults()
	for _, problem := range config.Validate() {
		return nil, fmt.Errorf("model: weight document: config: %w", problem)
	}
	if scorer.decides != (config.Learner.Task == Classification) || scorer.decides == (d.Label != nil) {
		return nil, fmt.Errorf("model: weight document: its model, its label and its task %s do not match", config.Learner.Task)
	}
	grouper, err := fairness.NewGrouper(config.Comparisons())
	if err != nil {
		return nil, err
	}
	comparisons := grouper.Comparisons()
	e := &Evaluation{
		scorer: scorer, grouper: grouper, comparisons: comparisons,
		options: fairness.Options{Level: config.Learner.Level, MinimumRecords: float64(config.Learner.MinimumRecords)},
		levels:  make([]fairness.Level, len(grouper.Attributes())),
		sides:   make([]fairness.Side, len(comparisons)),
	}
	if scorer.decides {
		e.tally = fairness.NewTally(len(comparisons))
	} else {
		e.predictions, e.constant = fairness.NewRegressionTally(len(comparisons)), d.Label.Mean
	}
	return e, nil
}

// Add decides, or predicts, and counts one record, which must have a label. A record of weight 0 contributes nothing.
func (e *Evaluation) Add(r *record.Record) {
	if !r.HasLabel {
		panic("model: an evaluation needs records with labels")
	}
	if r.Weight <= 0 {
		return
	}
	for i := range e.levels {
		e.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			e.levels[i] = e.grouper.Level(i, v.Text)
		}
	}
	e.grouper.Sides(e.sides, e.levels, r.Positive)
	score := e.scorer.Score(r)
	if !e.scorer.decides {
		e.predictions.Add(r.Label, score.Margin, e.constant, r.Weight, e.sides)
		return
	}
	e.tally.Add(r.Positive, score.Decision, newForecast(score.Margin).loss(r.Positive), r.Weight, e.sides)
}

// Report is the measurement so far.
func (e *Evaluation) Report() Report {
	if !e.scorer.decides {
		return newRegressionReport(e.predictions, e.comparisons, e.options)
	}
	return newReport(e.tally, e.comparisons, e.options)
}
