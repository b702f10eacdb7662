package main

import (
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// quality is one number that says how good weights are, in words: of a classifier accuracy and log loss, of
// a regression mean squared error and R². The first of them has a constant decision or prediction to be
// compared with.
type quality struct {
	name     string
	measure  fairness.Measure
	constant fairness.Measure // zero if there is none
	format   string
}

func (m measures) qualities() []quality {
	if m.regression() {
		return []quality{
			{name: "mean squared error", measure: m.MSE, constant: m.ConstantMSE, format: "%.4g"},
			{name: "R²", measure: m.RSquared, format: "%.3f"},
		}
	}
	return []quality{
		{name: "accuracy", measure: m.Accuracy, constant: m.ConstantAccuracy, format: "%.3f"},
		{name: "log loss", measure: m.LogLoss, format: "%.3f"},
	}
}

// regression says whether these are measures of predictions rather than of decisions.
func (m measures) regression() bool { return m.MSE.Level != 0 }

// constantWords names what the weights are compared with.
func (m measures) constantWords() string {
	if m.regression() {
		return "constant prediction"
	}
	return "constant decision"
}

func (q quality) words() string {
	return within(q.measure.Value, q.measure.Lo, q.measure.Hi, q.format)
}

func (q quality) constantWords() string {
	if q.constant.Level == 0 {
		return ""
	}
	return within(q.constant.Value, q.constant.Lo, q.constant.Hi, q.format)
}

// measuresOf takes the measures out of a report.
func measuresOf(r *model.Report) measures {
	return measures{r.Accuracy, r.LogLoss, r.ConstantAccuracy, r.MSE, r.ConstantMSE, r.RSquared}
}

// sideWords says what was measured of both sides of a constraint.
func sideWords(c fairness.Estimate) string {
	if c.Criterion.OfMeans() {
		return english.Sprintf("%s: mean prediction %.4g of %d; %s: %.4g of %d", c.Group, c.MeanGroup, c.NGroup, c.Versus, c.MeanVersus, c.NVersus)
	}
	return english.Sprintf("%s: %.1f %% of %d; %s: %.1f %% of %d", c.Group, 100*c.RateGroup, c.NGroup, c.Versus, 100*c.RateVersus, c.NVersus)
}

// difference is the measured difference of a constraint with its interval.
func difference(c fairness.Estimate) string {
	if c.Criterion.OfMeans() {
		return within(c.Value, c.Lo, c.Hi, "%+.4g")
	}
	return within(c.Value, c.Lo, c.Hi, "%+.3f")
}

// price is what the constraints cost, next to the weights without them.
func (e *evaluation) price() string {
	q, free := e.Measures.qualities()[0], e.Unconstrained.Measures.qualities()[0]
	return fmt.Sprintf("The price: %s "+q.format+" instead of "+q.format+".", q.name, q.measure.Value, free.measure.Value)
}

// measureWords is a number of a classifier with its interval.
func measureWords(m fairness.Measure) string { return within(m.Value, m.Lo, m.Hi, "%.3f") }
