package model

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
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
	published rolling[*fairness.RegressionTally]
	free      *rolling[*fairness.RegressionTally] // nil if the published model is the only one
	sides     sidesOf[prediction]
}

// prediction is one that was made before its record was learnt.
type prediction struct{ value, weight float64 }

func newPredictions(models *linear.Models, labels *linear.Labels, comparisons, window int, beside bool) *predictions {
	empty := func() *fairness.RegressionTally { return fairness.NewRegressionTally(comparisons) }
	p := &predictions{models: models, scale: labels, published: newRolling(empty), sides: newSidesOf[prediction](comparisons, window)}
	if beside {
		free := newRolling(empty)
		p.free = &free
	}
	return p
}

func (p *predictions) add(e *example, f forecast) (residual, variance float64) {
	constant := p.scale.Constant()
	p.published.open.Add(e.label, f.published, constant, e.weight, e.sides)
	p.published.count(p.published.open.Errors.Model.Records)
	if p.free != nil {
		p.free.open.Add(e.label, f.free, constant, e.weight, e.sides)
		p.free.count(p.free.open.Errors.Model.Records)
	}
	p.sides.push(e.sides, func(int) prediction { return prediction{f.published, e.weight} })
	if p.scale.Spread() <= 0 {
		return 0, 0
	}
	return p.scale.Residual(e.label, f.free), p.models.SquaredError()
}

func (p *predictions) outcome(f forecast) float64 { return f.published }

func (p *predictions) reports(a about) (all, recent document.Report, free, freeRecent *document.Report) {
	report := func(t *fairness.RegressionTally) document.Report {
		return document.ReportPredictions(t, a.comparisons, a.options)
	}
	if p.free != nil {
		first, second := report(p.free.all()), report(p.free.recent())
		free, freeRecent = &first, &second
	}
	return report(p.published.all()), report(p.published.recent()), free, freeRecent
}

func (p *predictions) current(a about, learnt method) []fairness.Estimate {
	all := p.published.all()
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
			options.Inflation = control.Inflation
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
		p.published.fields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
		if p.free != nil {
			p.free.fields(c, func(t *fairness.RegressionTally) { regressionTallyFields(c, t) })
		}
		p.sides.fields(c, 16, func(item *prediction) {
			c.Float(&item.value)
			c.Float(&item.weight)
			c.Check(math.Abs(item.value) <= linear.LargestPrediction && item.weight > 0 && item.weight <= record.MaxWeight)
		})
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
