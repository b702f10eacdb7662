package model

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/rolling"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
	"github.com/fairstream/fairstream/pkg/record"
)

// predictions is the evaluation of a regression.
type predictions struct {
	models    *linear.Models
	scale     *linear.Labels
	published rolling.Measured[*fairness.RegressionTally]
	free      *rolling.Measured[*fairness.RegressionTally] // nil if the published model is the only one
	sides     sidesOf[prediction]
}

// prediction is one that was made before its record was learnt.
type prediction struct{ value, weight float64 }

func newPredictions(models *linear.Models, labels *linear.Labels, comparisons, window int, beside bool) *predictions {
	empty := func() *fairness.RegressionTally { return fairness.NewRegressionTally(comparisons) }
	p := &predictions{models: models, scale: labels, published: rolling.NewMeasured(empty, labelledErrors), sides: newSidesOf[prediction](comparisons, window)}
	if beside {
		free := rolling.NewMeasured(empty, labelledErrors)
		p.free = &free
	}
	return p
}

func (p *predictions) add(e *example, f forecast) (residual, variance float64) {
	p.addTo(&p.published, e, f.published)
	if p.free != nil {
		p.addTo(p.free, e, f.free)
	}
	p.sides.push(e.sides, func(int) prediction { return prediction{f.published, e.weight} })
	if p.scale.Spread() <= 0 {
		return 0, 0
	}
	return p.scale.Residual(e.label, f.free), p.models.SquaredError()
}

func (p *predictions) addTo(m *rolling.Measured[*fairness.RegressionTally], e *example, prediction float64) {
	if e.unmeasured {
		return
	}
	if e.brings != control.Both {
		m.Part()
	}
	if e.brings != control.Itself {
		m.Labelled().Add(e.label, prediction, p.scale.Constant(), e.labelled, e.sides)
	}
	if e.brings != control.Label {
		if t, kept := m.Came(); kept {
			t.AddUnlabelled(prediction, e.weight, e.sides)
		}
	}
	m.Close()
}

func labelledErrors(t *fairness.RegressionTally) int64 { return t.Errors.Model.Records }

// tally is that of all records, or of recent ones. No comparison needs a label, so all are of the records that came.
func (p *predictions) tally(m *rolling.Measured[*fairness.RegressionTally], recent bool) *fairness.RegressionTally {
	labelled, came, parted := m.Both(recent)
	if parted {
		labelled.Comparisons = came.Comparisons
	}
	return labelled
}

func (p *predictions) outcome(f forecast) float64 { return f.published }

func (p *predictions) reports(a about) (all, recent document.Report, free, freeRecent *document.Report) {
	report := func(t *fairness.RegressionTally) document.Report {
		return document.ReportPredictions(t, a.comparisons, a.options)
	}
	if p.free != nil {
		first, second := report(p.tally(p.free, false)), report(p.tally(p.free, true))
		free, freeRecent = &first, &second
	}
	return report(p.tally(&p.published, false)), report(p.tally(&p.published, true)), free, freeRecent
}

func (p *predictions) current(a about, learnt method) []fairness.Estimate {
	all := p.tally(&p.published, false)
	estimates := make([]fairness.Estimate, 0, len(a.comparisons))
	for i, comparison := range a.comparisons {
		if !comparison.Known() {
			continue
		}
		counts, options := all.Comparisons[i], a.options
		for k, side := range [2]*fairness.Moments{&counts.Group, &counts.Versus} {
			*side = fairness.Moments{}
			for item := range p.sides[i][k].All() {
				side.Add(item.value, item.weight)
			}
		}
		// How far predictions are spread hardly changes with the weights. Their means do.
		if means, ok := learnt.means(i); ok {
			counts.Group.Mean, counts.Versus.Mean = means[0], means[1]
			options.Inflation = control.MeanInflation
		}
		estimates = append(estimates, comparison.EstimateMeans(counts, options))
	}
	return estimates
}

func (p *predictions) conditions(m *document.Measurements, a about, learnt method) []document.Condition {
	var conditions []document.Condition
	for _, c := range learnt.control(a.comparisons) {
		if !c.Reachable {
			conditions = append(conditions, document.Condition{Code: document.Unreachable, Constraint: c.Name, Detail: "the learner found no weights that meet this constraint on recent records: raise tau, or remove a constraint that contradicts it"})
		}
	}
	conditions = append(conditions, measurable(m, a, learnt)...)
	if m.Recent.Collapse == fairness.NoBetterThanConstant {
		conditions = append(conditions, document.Condition{Code: document.Useless, Detail: "predictions are hardly better than the mean label"})
	}
	return conditions
}

// rate knows none: best is for criteria of rates.
func (p *predictions) rate(about) func(int) (float64, bool) {
	return func(int) (float64, bool) { return 0, false }
}

func (p *predictions) labels() *document.LabelSummary {
	return &document.LabelSummary{Mean: p.scale.Constant(), StandardDeviation: p.scale.Spread()}
}

func (p *predictions) fields(c *codec.Coder) {
	c.Section(func() {
		p.published.Fields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
		if p.free != nil {
			p.free.Fields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
		}
		p.sides.fields(c, 16, func(item *prediction) {
			c.Float(&item.value)
			c.Float(&item.weight)
			c.Check(math.Abs(item.value) <= linear.LargestPrediction && item.weight > 0 && item.weight <= record.MaxWeight)
		})
		if c.More() {
			p.published.CameFields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
			if p.free != nil {
				p.free.CameFields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
			}
		}
	})
}

func regressionTallyFields(c *codec.Coder, t *fairness.RegressionTally) {
	momentFields(c, &t.Errors.Model, largestError)
	momentFields(c, &t.Errors.Constant, largestError)
	c.Within(&t.Errors.Joint, mostSquares(&t.Errors.Model, largestError))
	for i := range t.Comparisons {
		p := &t.Comparisons[i]
		momentFields(c, &p.Group, linear.LargestPrediction)
		momentFields(c, &p.Versus, linear.LargestPrediction)
		c.Count(&p.Neither)
		c.Count(&p.Unknown)
	}
}

// largestError bounds the square of the distance of a label from a prediction.
const largestError = 4 * linear.LargestPrediction * linear.LargestPrediction

// newMethod returns the method of a configuration, and its evaluation. constraints are by comparison.
func newMethod(config LearnerConfig, comparisons []fairness.Comparison, constraints []Constraint) (method, evaluation, error) {
	if config.Mode == Paper {
		p, err := newPaper(config, comparisons, constraints)
		return p, newDecisions(comparisons, config.Window, false, false), err
	}
	comparisons = enforceable(config, comparisons)
	beside := countEnforced(comparisons) > 0
	if config.Task == Regression {
		loss := linear.NewSquared()
		m := newMeans(config, comparisons, loss)
		return m, newPredictions(m.models, &loss.Labels, len(comparisons), config.Window, beside), nil
	}
	m, err := newRates(config, comparisons, constraints)
	return m, newDecisions(comparisons, config.Window, beside, true), err
}
