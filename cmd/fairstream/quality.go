package main

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// quality is one number that says how good weights are, in words: of a classifier accuracy and log loss, of
// a regression R² and the root of the mean squared error, which is in units of the label. The first of them has a
// constant decision or prediction to be compared with.
type quality struct {
	name     string
	measure  fairness.Measure
	constant fairness.Measure // zero if there is none
	inUnits  bool             // of the label
}

func (m measures) qualities() []quality {
	if m.Predictions != nil {
		return []quality{
			{name: "root mean squared error", measure: root(m.MSE), constant: root(m.ConstantMSE), inUnits: true},
			{name: "R²", measure: m.RSquared},
		}
	}
	found := []quality{
		{name: "accuracy", measure: m.Accuracy, constant: m.ConstantAccuracy},
		{name: "log loss", measure: m.LogLoss},
	}
	if m.AUC != nil {
		found = append(found, quality{name: "AUC", measure: *m.AUC})
	}
	return found
}

// constantWords names what the weights are compared with.
func (m measures) constantWords() string {
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

// format is that of one of the quality's numbers.
func (q quality) format(m fairness.Measure) string {
	if q.inUnits {
		return english.InUnits(m.Lo, m.Hi, "%")
	}
	return "%.3f"
}

func (q quality) words() string {
	return english.WithInterval(q.measure.Value, q.measure.Lo, q.measure.Hi, q.format(q.measure))
}

func (q quality) constantWords() string {
	if q.constant.Level == 0 {
		return ""
	}
	return english.WithInterval(q.constant.Value, q.constant.Lo, q.constant.Hi, q.format(q.constant))
}

// measuresOf takes the measures out of a report.
func measuresOf(r *document.Report) measures {
	return measures{Decisions: r.Decisions, Predictions: r.Predictions}
}

// unitWords says what the numbers of a regression are in, and how large tau is in standard deviations of the label.
func unitWords(label *document.LabelSummary, field string, constraints []fairness.Estimate) string {
	format := english.InUnits(-label.StandardDeviation/10, label.StandardDeviation/10, "%")
	words := fmt.Sprintf("Errors, predictions, differences and tau are in units of %s: mean "+format+", standard deviation "+format+".",
		field, label.Mean, label.StandardDeviation)
	if !(label.StandardDeviation > 0) {
		return words
	}
	for _, c := range constraints {
		if c.Enforced {
			return words + fmt.Sprintf(" Tau %s is %.2g standard deviations.", english.Number(c.Tau), c.Tau/label.StandardDeviation)
		}
	}
	return words
}

// sideWords says what was measured of both sides of a constraint.
func sideWords(c fairness.Estimate) string {
	if c.Criterion.OfMeans() {
		format := english.InUnits(c.Lo, c.Hi, "%")
		side := func(mean float64, n int64) string {
			return fmt.Sprintf("mean prediction "+format, mean) + english.Sprintf(" of %d", n)
		}
		return fmt.Sprintf("%s: %s; %s: %s", c.Group, side(c.MeanGroup, c.NGroup), c.Versus, side(c.MeanVersus, c.NVersus))
	}
	return english.Sprintf("%s: %.1f %% of %d; %s: %.1f %% of %d", c.Group, 100*c.RateGroup, c.NGroup, c.Versus, 100*c.RateVersus, c.NVersus)
}

// difference is the measured difference of a constraint, or its ratio, with its interval.
func difference(c fairness.Estimate) string {
	return english.WithInterval(c.Value, c.Lo, c.Hi, valueFormat(c))
}

// valueFormat is how the value of a constraint is written: a difference has a sign.
func valueFormat(c fairness.Estimate) string {
	switch {
	case c.Criterion.OfMeans():
		return english.InUnits(c.Lo, c.Hi, "%+")
	case c.Criterion.OfRatio():
		return "%.3f"
	}
	return "%+.3f"
}

// price is what the constraints cost, next to the weights without them.
func (e *evaluation) price() string {
	q, free := e.Measures.qualities()[0], e.Unconstrained.Measures.qualities()[0]
	format := q.format(q.measure)
	with, without := fmt.Sprintf(format, q.measure.Value), fmt.Sprintf(format, free.measure.Value)
	if with == without {
		return fmt.Sprintf("Cost of the constraint: none that can be measured; %s is %s without constraints too.", q.name, without)
	}
	return fmt.Sprintf("Cost of the constraint: %s %s, without it %s.", q.name, with, without)
}
