package model

import (
	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/linear"
)

// about is what is measured, and how.
type about struct {
	comparisons []fairness.Comparison
	options     fairness.Options
	holdout     int // records of the future sample that conditions speak of: learner.holdout_records
}

// row is the position of a comparison among those whose groups are known.
func (a about) row(comparison int) (row int) {
	for _, c := range a.comparisons[:comparison] {
		if c.Known() {
			row++
		}
	}
	return row
}

// evaluation is the "test, then train" evaluation of a learner (Dawid, JRSS A 147, 1984): every record is predicted
// before it is learnt.
type evaluation interface {
	// add measures the forecast of an example. It returns how far the label was off the forecast without constraints,
	// and the variance that this has by the model.
	add(e *example, f forecast) (residual, variance float64)
	// outcome is the decision, 0 or 1, or the prediction of a forecast.
	outcome(f forecast) float64
	// reports are those of the whole stream and of its recent part. There are none of the model without constraints if
	// none is learnt beside the published one.
	reports(a about) (all, recent document.Report, free, freeRecent *document.Report)
	// current estimates each comparison on the most recent records of each side: by the published model where the method
	// remembers them, by the predictions before learning elsewhere.
	current(a about, learnt method) []fairness.Estimate
	// conditions names what a person should know, given the rest of the measurements.
	conditions(m *document.Measurements, a about, learnt method) []document.Condition
	// rate says how high at least the rate of a comparison's group has been, of the model without constraints.
	rate(a about) func(comparison int) (atLeast float64, ok bool)
	// labels is what the labels were like, nil for two classes.
	labels() *document.LabelSummary
	// fields codes all that has been counted.
	fields(c *codec.Coder)
}

// sidesOf are windows of what was predicted for each side of each comparison, none if the method remembers the records.
type sidesOf[T any] [][2]*fairness.Window[T]

func newSidesOf[T any](comparisons, window int) sidesOf[T] {
	sides := make(sidesOf[T], comparisons)
	for i := range sides {
		sides[i] = [2]*fairness.Window[T]{fairness.NewWindow[T](window), fairness.NewWindow[T](window)}
	}
	return sides
}

// push adds the item of each comparison to the window of the side that a record is on.
func (s sidesOf[T]) push(sides []fairness.Side, item func(comparison int) T) {
	for i := range s {
		switch sides[i] {
		case fairness.Group:
			s[i][0].Push(item(i))
		case fairness.Versus:
			s[i][1].Push(item(i))
		}
	}
}

// fields codes the items, each of which takes least bytes at least.
func (s sidesOf[T]) fields(c *codec.Coder, least int, one func(*T)) {
	for i := range s {
		for _, w := range s[i] {
			codec.Index(c, &w.Next, w.Capacity)
			n := c.Length(len(w.Items), least)
			c.Check(n <= w.Capacity && (w.Next == 0 || n == w.Capacity))
			for k := range n {
				if c.Err() != nil {
					return
				}
				if c.Reading() {
					w.Items = w.Items[:k+1]
				}
				one(&w.Items[k])
			}
		}
	}
}

// absences are the records that lack an attribute, beside those that have it, by attribute.
type absences []fairness.Absence

func (a absences) add(e *example, decided float64) {
	label := e.label
	if e.positive {
		label = 1
	}
	for i := range a {
		a[i].Add(e.levels[i] == fairness.MissingLevel, label, decided, e.weight)
	}
}

// Combine adds the records of others.
func (a absences) Combine(others absences) {
	for i := range a {
		a[i].Combine(others[i])
	}
}

// Reset returns them to no records.
func (a absences) Reset() { clear(a) }

func (a absences) records() int64 {
	if len(a) == 0 {
		return 0
	}
	return a[0].Known.Labels.Records + a[0].Missing.Labels.Records
}

func (a absences) fields(c *codec.Coder) {
	for i := range a {
		for _, o := range [...]*fairness.Outcomes{&a[i].Known, &a[i].Missing} {
			momentFields(c, &o.Labels, linear.LargestPrediction)
			momentFields(c, &o.Decided, linear.LargestPrediction)
		}
	}
}

// momentFields are moments of numbers of at most largest, either way.
func momentFields(c *codec.Coder, m *fairness.Moments, largest float64) {
	c.Count(&m.Records)
	c.Sum(&m.Weight)
	c.Sum(&m.WeightSquared)
	c.Within(&m.Mean, largest)
	c.Within(&m.Squares, mostSquares(m, largest))
	c.Check(m.Squares >= 0 && (m.Records > 0) == (m.Weight > 0))
	// At most m.Records, but where squares of tiny weights are rounded to 0.
	c.Check(m.Effective() <= float64(m.Records)*float64(m.Records))
}

// mostSquares bounds the weighted squares of numbers that are largest at most, less a mean of theirs, with room for those
// that come.
func mostSquares(m *fairness.Moments, largest float64) float64 {
	return 16 * largest * largest * m.Weight
}

// unconditional are the comparisons that need no label.
func unconditional(comparisons []fairness.Comparison) (indices []int) {
	for i := range comparisons {
		if !comparisons[i].Criterion.NeedsLabel() {
			indices = append(indices, i)
		}
	}
	return indices
}
