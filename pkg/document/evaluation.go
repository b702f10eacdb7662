package document

import (
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Evaluation measures a document on records that it has not learnt from.
type Evaluation struct {
	// Observe is given each record and its margin, if it is not nil.
	Observe func(r *record.Record, margin float64)

	grouper *fairness.Grouper
	options fairness.Options
	counter counter
	levels  []fairness.Level
	sides   []fairness.Side
	strata  []int // nil if no comparison is within strata
	// oneLabel says that all records that the document was learnt from had the same label.
	oneLabel bool
}

// counter decides, or predicts, and counts.
type counter interface {
	add(r *record.Record, sides []fairness.Side, strata []int) (margin float64)
	report(comparisons []fairness.Comparison, o fairness.Options) Report
}

// NewEvaluation prepares the measurement of a document against its own constraints.
func NewEvaluation(d *Document) (*Evaluation, error) {
	options, err := d.Config.options()
	if err != nil {
		return nil, fmt.Errorf("document: config: %w", err)
	}
	grouper, err := d.Config.grouper(d.Found)
	if err != nil {
		return nil, fmt.Errorf("document: config: %w", err)
	}
	comparisons := len(grouper.Comparisons())
	counter, err := d.counter(comparisons)
	if err != nil {
		return nil, err
	}
	var strata []int
	if grouper.Within() {
		strata = make([]int, comparisons)
	}
	return &Evaluation{
		strata:  strata,
		grouper: grouper, options: options, counter: counter,
		levels:   make([]fairness.Level, len(grouper.Attributes())),
		sides:    make([]fairness.Side, comparisons),
		oneLabel: slices.ContainsFunc(d.Measurements.Conditions, func(c Condition) bool { return c.Code == OneLabel }),
	}, nil
}

func (d *Document) counter(comparisons int) (counter, error) {
	if d.Task == Regression {
		regressor, err := d.Regressor()
		if err != nil {
			return nil, err
		}
		return &predictions{regressor, d.Label.Mean, fairness.NewRegressionTally(comparisons)}, nil
	}
	classifier, err := d.Classifier()
	if err != nil {
		return nil, err
	}
	return &decisions{classifier, fairness.NewTally(comparisons)}, nil
}

// Comparisons are those of the document's constraints, equalized odds split and those of each value with the groups that
// the learner has met.
func (d *Document) Comparisons() ([]fairness.Comparison, error) {
	grouper, err := d.Config.grouper(d.Found)
	if err != nil {
		return nil, err
	}
	return grouper.Comparisons(), nil
}

// Add decides, or predicts, and counts one record, which must come from the document's Schema. Without a label it counts in the comparisons
// that need none. A record of weight 0 contributes nothing.
func (e *Evaluation) Add(r *record.Record) {
	if r.HasLabel {
		e.add(r, (*fairness.Grouper).Sides)
		return
	}
	e.add(r, func(g *fairness.Grouper, dst []fairness.Side, levels []fairness.Level, _ bool) {
		g.Unlabelled(dst, levels)
	})
}

// AddLate is Add of a record that was added without its label before, now that it has one: it counts in what needs the label.
func (e *Evaluation) AddLate(r *record.Record) { e.add(r, (*fairness.Grouper).Late) }

func (e *Evaluation) add(r *record.Record, sides func(*fairness.Grouper, []fairness.Side, []fairness.Level, bool)) {
	if r.Weight <= 0 {
		return
	}
	for i := range e.levels {
		e.levels[i] = fairness.MissingLevel
		if v := &r.Attributes[i]; !v.Missing {
			e.levels[i] = e.grouper.Level(i, v.Text)
		}
	}
	sides(e.grouper, e.sides, e.levels, r.Positive)
	if e.strata != nil {
		e.grouper.Strata(e.strata, e.levels)
	}
	margin := e.counter.add(r, e.sides, e.strata)
	if e.Observe != nil {
		e.Observe(r, margin)
	}
}

// Report is the measurement so far. Weights learnt from records with one label get no verdict.
func (e *Evaluation) Report() Report {
	r := e.counter.report(e.grouper.Comparisons(), e.options)
	if e.oneLabel {
		withoutVerdict(r.Constraints)
	}
	return r
}

// decisions counts those of a classifier.
type decisions struct {
	classifier *Classifier
	tally      *fairness.Tally
}

func (c *decisions) add(r *record.Record, sides []fairness.Side, strata []int) float64 {
	decision := c.classifier.Decide(r)
	if !r.HasLabel {
		c.tally.AddUnlabelled(decision.Positive, r.Weight, sides, strata)
		return decision.Margin
	}
	right, wrong := logistic.Probabilities(decision.Margin)
	if !r.Positive {
		right = wrong
	}
	c.tally.AddWithin(r.Positive, decision.Positive, logistic.Loss(right), r.Weight, sides, strata)
	return decision.Margin
}

func (c *decisions) report(comparisons []fairness.Comparison, o fairness.Options) Report {
	return ReportDecisions(c.tally, comparisons, o)
}

// predictions counts those of a regression, beside a constant one.
type predictions struct {
	regressor *Regressor
	constant  float64
	tally     *fairness.RegressionTally
}

func (c *predictions) add(r *record.Record, sides []fairness.Side, _ []int) float64 {
	predicted := c.regressor.Predict(r)
	if !r.HasLabel {
		c.tally.AddUnlabelled(predicted, r.Weight, sides)
		return predicted
	}
	c.tally.Add(r.Label, predicted, c.constant, r.Weight, sides)
	return predicted
}

func (c *predictions) report(comparisons []fairness.Comparison, o fairness.Options) Report {
	return ReportPredictions(c.tally, comparisons, o)
}
