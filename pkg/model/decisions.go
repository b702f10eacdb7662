package model

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/internal/rolling"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// decisions is the evaluation of a classifier.
type decisions struct {
	published rolling.Measured[*fairness.Tally]
	free      *rolling.Measured[*fairness.Tally] // nil if the published model is the only one
	sides     sidesOf[decision]

	unconditional []int // comparisons that need no label
}

// decision is one that was made before its record was learnt.
type decision struct {
	positive bool
	weight   float64
}

// Made is the decision of a classifier about a record, by the weights before they learnt from it.
type Made struct {
	// Known is false of a record that was not decided: one of the warm-up, one with weight 0, any of a regression.
	Known bool
	// Margin is what it was decided by.
	Margin float64
	// Weight is for how many records a labelled one stands: 1 unless labels depend on records (docs/labels.md), 0 of one without a label.
	Weight float64
}

// Decision is the decision; m must be Known.
func (m Made) Decision() document.Decision { return document.NewDecision(m.Margin, 0) }

// newDecisions returns the evaluation of a model, and of one without constraints if that is learnt beside it. Decisions are
// remembered unless the method remembers the records.
func newDecisions(comparisons []fairness.Comparison, window int, beside, remembered bool) *decisions {
	empty := func() *fairness.Tally { return fairness.NewTally(len(comparisons)) }
	d := &decisions{published: rolling.NewMeasured(empty, labelledRecords), unconditional: unconditional(comparisons)}
	if !remembered {
		d.sides = newSidesOf[decision](len(comparisons), window)
	}
	if beside {
		free := rolling.NewMeasured(empty, labelledRecords)
		d.free = &free
	}
	return d
}

func (d *decisions) add(e *example, f forecast) (residual, variance float64) {
	p := d.addTo(&d.published, e, f.published)
	if d.free != nil {
		p = d.addTo(d.free, e, f.free)
	}
	d.sides.push(e.sides, func(i int) decision { return decision{f.published > 0, e.weightIn(i)} })
	return p.residual(e.positive), float64(p.positive * p.negative)
}

func (d *decisions) addTo(m *rolling.Measured[*fairness.Tally], e *example, margin float64) probabilities {
	p := newProbabilities(margin)
	if e.unmeasured {
		return p
	}
	if e.brings != control.Both {
		m.Part()
	}
	if e.brings != control.Itself {
		m.Labelled().AddWithin(e.positive, margin > 0, p.loss(e.positive), e.labelled, e.sides, e.strata)
	}
	if e.brings != control.Label {
		if t, kept := m.Came(); kept {
			t.AddUnlabelled(margin > 0, e.weight, e.sides, e.strata)
		}
	}
	m.Close()
	return p
}

func labelledRecords(t *fairness.Tally) int64 { return t.Confusion.Records }

// tally is that of all records, or of recent ones: in the comparisons that need no label, of all that came.
func (d *decisions) tally(m *rolling.Measured[*fairness.Tally], recent bool) *fairness.Tally {
	labelled, came, parted := m.Both(recent)
	if parted {
		for _, i := range d.unconditional {
			labelled.Comparisons[i] = came.Comparisons[i]
		}
	}
	return labelled
}

func (d *decisions) outcome(f forecast) float64 {
	if f.published > 0 {
		return 1
	}
	return 0
}

func (d *decisions) reports(a about) (all, recent document.Report, free, freeRecent *document.Report) {
	report := func(t *fairness.Tally) document.Report { return document.ReportDecisions(t, a.comparisons, a.options) }
	if d.free != nil {
		first, second := report(d.tally(d.free, false)), report(d.tally(d.free, true))
		free, freeRecent = &first, &second
	}
	return report(d.tally(&d.published, false)), report(d.tally(&d.published, true)), free, freeRecent
}

// Decisions is on how many independent decisions the measured rate of a side rests, if the side has brought so many records. A regression
// measures means instead, of the predictions of all records of its window.
func (c Config) Decisions(records int64) float64 {
	window := int64(c.Learner.Window)
	if c.Learner.Mode == Paper {
		return float64(min(records, window))
	}
	if c.Learner.Task == Regression {
		return float64(min(records, window)) / control.MeanInflation
	}
	return float64(control.Measured(int(records), int(window))) / control.Inflation
}

func (d *decisions) current(a about, learnt method) []fairness.Estimate {
	all := d.tally(&d.published, false)
	estimates := make([]fairness.Estimate, 0, len(a.comparisons))
	for i, comparison := range a.comparisons {
		if !comparison.Known() {
			continue
		}
		counts := all.Comparisons[i]
		options := a.options
		if group, versus, inflation, ok := learnt.counts(i); ok {
			counts.Group, counts.Versus = group, versus
			options.Inflation = inflation
		} else {
			counts.Group, counts.Versus = d.decided(i, 0), d.decided(i, 1)
		}
		counts.Strata = nil // the weights of the decisions are standardized
		estimates = append(estimates, comparison.Estimate(counts, options))
	}
	return estimates
}

func (d *decisions) rate(a about) func(comparison int) (atLeast float64, ok bool) {
	free := &d.published
	if d.free != nil {
		free = d.free
	}
	var all *fairness.Tally
	return func(comparison int) (atLeast float64, ok bool) {
		if all == nil {
			all = d.tally(free, false)
		}
		counts := all.Comparisons[comparison].Group
		for _, s := range all.Comparisons[comparison].Strata {
			counts.Combine(s.Group)
		}
		if counts.Effective() < a.options.MinimumRecords {
			return 0, false
		}
		atLeast, _ = fairness.Wilson(counts.Rate(), counts.Effective(), a.options.Level)
		return atLeast, true
	}
}

// decided counts the decisions that were made on recent records of a side before they were learnt.
func (d *decisions) decided(comparison, side int) (n fairness.Count) {
	for item := range d.sides[comparison][side].All() {
		n.Add(item.positive, item.weight)
	}
	return n
}

func (d *decisions) conditions(m *document.Measurements, a about, learnt method) []document.Condition {
	var conditions []document.Condition
	outlook := learnt.outlook()
	if outlook.constant {
		conditions = append(conditions, document.Condition{Code: document.Unreachable, Detail: "on recent records, only constant decisions (or nearly constant ones) meet every enforced constraint: raise tau, remove a contradicting constraint, or remove columns that stand for the attribute"})
	}
	conditions = append(conditions, measurable(m, a, learnt)...)
	if d.free != nil && labelledRecords(d.published.All()) >= settled {
		conditions = append(conditions, priceConditions(&d.published, d.free)...)
	}
	return append(append(conditions, recentLabels(m)...), collapsed(m, outlook.collapse)...)
}

func (d *decisions) labels() *document.LabelSummary { return nil }

func (d *decisions) fields(c *codec.Coder) {
	c.Section(func() {
		d.published.Fields(c, func(t *fairness.Tally) { tallyFields(c, t) })
		if d.free != nil {
			d.free.Fields(c, func(t *fairness.Tally) { tallyFields(c, t) })
		}
		d.sides.fields(c, 9, func(item *decision) {
			c.Bool(&item.positive)
			c.Float(&item.weight)
			c.Check(item.weight > 0 && item.weight <= record.MaxWeight)
		})
		if c.More() {
			d.published.CameFields(c, func(t *fairness.Tally) { tallyFields(c, t) })
			if d.free != nil {
				d.free.CameFields(c, func(t *fairness.Tally) { tallyFields(c, t) })
			}
		}
		d.squaresFields(c)
	})
}

// squaresFields codes the squares of weights of positive decisions, which states of before lack: there, weights are taken not to depend on the
// decision.
func (d *decisions) squaresFields(c *codec.Coder) {
	coded := c.More()
	visit := func(n *fairness.Count) {
		if coded {
			c.Sum(&n.PositiveSquared)
		} else if n.Weight > 0 {
			n.PositiveSquared = n.PositiveWeight / n.Weight * n.WeightSquared
		}
	}
	each := func(t *fairness.Tally) {
		for i := range t.Comparisons {
			p := &t.Comparisons[i]
			visit(&p.Group)
			visit(&p.Versus)
			for k := range p.Strata {
				visit(&p.Strata[k].Group)
				visit(&p.Strata[k].Versus)
			}
		}
	}
	d.published.EachOfBoth(each)
	if d.free != nil {
		d.free.EachOfBoth(each)
	}
}

func tallyFields(c *codec.Coder, t *fairness.Tally) {
	n := &t.Confusion
	c.Count(&n.Records)
	for _, x := range [...]*float64{&n.WeightSquared, &n.TruePositive, &n.FalsePositive, &n.FalseNegative, &n.TrueNegative, &t.LossSum, &t.LossSquared} {
		c.Sum(x)
	}
	for i := range t.Comparisons {
		p := &t.Comparisons[i]
		countFields(c, &p.Group)
		countFields(c, &p.Versus)
		c.Count(&p.Neither)
		c.Count(&p.Unknown)
		c.Count(&p.Excluded)
		codec.Slice(c, &p.Strata, 2*leastCount, func(s *fairness.Sides) {
			countFields(c, &s.Group)
			countFields(c, &s.Versus)
		})
	}
}

// leastCount is how many bytes a count takes at least: whole numbers below 128 take one.
const leastCount = 2 + 3*8

func countFields(c *codec.Coder, n *fairness.Count) {
	c.Count(&n.Records)
	c.Count(&n.Positives)
	c.Sum(&n.Weight)
	c.Sum(&n.WeightSquared)
	c.Sum(&n.PositiveWeight)
}

// probabilities are those of both labels.
type probabilities struct{ positive, negative float64 }

func newProbabilities(margin float64) probabilities {
	positive, negative := logistic.Probabilities(margin)
	return probabilities{positive, negative}
}

// loss is −ln P(label).
func (p probabilities) loss(positive bool) float64 {
	if positive {
		return logistic.Loss(p.positive)
	}
	return logistic.Loss(p.negative)
}

// residual is how far the label is off its probability.
func (p probabilities) residual(positive bool) float64 {
	if positive {
		return p.negative
	}
	return -p.positive
}
