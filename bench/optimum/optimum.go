// Package optimum computes what the best linear weights make of records that were held out: the error at each difference, on the columns of a
// weight document. Studies compare errors of fairstream with it at equal difference.
package optimum

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// multipliers are those that the optimum is computed at.
var multipliers = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 1, 1.3}

// Penalty is the weight of half the squared norm of the weights in the mean objective, as in bench/quality.
const Penalty = 1e-4

// Curve is what the linear optimum makes of the records held out, at each multiplier: the value of the criterion and the error.
//
// The optimum is one weight vector on fairstream's own columns: the least of log loss + m × gap + penalty, where the gap is the
// difference of the mean probabilities of both sides (bench/quality/study/optimum.py), found by L-BFGS on all training records.
type Curve struct{ Values, Errors []float64 }

// Rows are encoded records.
type Rows struct {
	// Penalty is the weight of half the squared norm of the weights in the mean objective.
	Penalty float64

	index  [][]int32
	value  [][]float64
	sign   []float64 // of the label
	side   []fairness.Side
	strata []int     // nil without
	factor []float64 // by how much a record counts in the gap
	counts [2]float64
}

// New computes the curve of the first constraint of a configuration, on the columns of a document. It ends at the first multiplier whose value is
// least or less.
func New(config model.Config, doc *document.Document, train, test []*record.Record, least float64) (*Curve, error) {
	scorer, err := doc.Scorer()
	if err != nil {
		return nil, err
	}
	comparison := config.Constraints[0].Comparison()
	grouper, err := fairness.NewGrouper([]fairness.Comparison{comparison})
	if err != nil {
		return nil, err
	}
	encode := func(records []*record.Record) (e Rows) {
		e.Penalty = Penalty
		levels, sides := make([]fairness.Level, len(grouper.Attributes())), make([]fairness.Side, 1)
		strata := []int{0}
		for _, r := range records {
			row := scorer.Encode(r)
			for i := range levels {
				levels[i] = grouper.Level(i, r.Attributes[i].Text)
			}
			grouper.Sides(sides, levels, r.Positive)
			if grouper.Within() {
				grouper.Strata(strata, levels)
			}
			e.Add(&row, sides[0], strata[0], r.Positive)
		}
		return e
	}
	learnt, held := encode(train), encode(test)
	c := &Curve{}
	weights := make([]float64, doc.Weights)
	for _, m := range multipliers {
		if weights, err = learnt.Minimize(weights, m); err != nil {
			return nil, err
		}
		value, wrong := held.Decide(weights, comparison)
		if c.Values, c.Errors = append(c.Values, value), append(c.Errors, wrong); value <= least {
			break
		}
	}
	return c, nil
}

// Add adds a record of a side.
func (e *Rows) Add(row *features.Row, side fairness.Side, stratum int, positive bool) {
	values := make([]float64, len(row.Index))
	for i := range values {
		values[i] = row.At(i)
	}
	e.index, e.value = append(e.index, append([]int32(nil), row.Index...)), append(e.value, values)
	e.side, e.strata, e.sign = append(e.side, side), append(e.strata, stratum), append(e.sign, -1)
	if positive {
		e.sign[len(e.sign)-1] = 1
	}
}

// weigh finds by how much each record counts in the gap: by the share of the other side in its stratum, as Mantel and Haenszel
// weigh strata. Without strata there is one, in which all records of a side count the same.
func (e *Rows) weigh() {
	if len(e.factor) == len(e.side) {
		return
	}
	here := map[int]*[2]float64{}
	for i, side := range e.side {
		if here[e.strata[i]] == nil {
			here[e.strata[i]] = new([2]float64)
		}
		switch side {
		case fairness.Group:
			here[e.strata[i]][0]++
		case fairness.Versus:
			here[e.strata[i]][1]++
		}
	}
	e.factor, e.counts = make([]float64, len(e.side)), [2]float64{}
	for i, side := range e.side {
		n := here[e.strata[i]]
		switch side {
		case fairness.Group:
			e.factor[i] = n[1] / (n[0] + n[1])
			e.counts[0] += e.factor[i]
		case fairness.Versus:
			e.factor[i] = n[0] / (n[0] + n[1])
			e.counts[1] += e.factor[i]
		}
	}
}

// Wrong says for each record whether weights decide against its label.
func (e *Rows) Wrong(weights []float64) (wrong []bool) {
	for i, sign := range e.sign {
		wrong = append(wrong, (e.margin(weights, i) > 0) != (sign > 0))
	}
	return wrong
}

func (e *Rows) margin(weights []float64, i int) (margin float64) {
	for k, j := range e.index[i] {
		margin += weights[j] * e.value[i][k]
	}
	return margin
}

// Minimize finds the weights of a multiplier from a start.
func (e *Rows) Minimize(start []float64, m float64) ([]float64, error) {
	e.weigh()
	n := float64(len(e.sign))
	of := func(weights, gradient []float64) (value float64) {
		for i, sign := range e.sign {
			z := e.margin(weights, i)
			p := 1 / (1 + math.Exp(-z))
			value += math.Log1p(math.Exp(-math.Abs(z))) + max(0, -sign*z)
			slope := (p - (sign+1)/2) / n
			switch e.side[i] {
			case fairness.Group:
				value += n * m * p * e.factor[i] / e.counts[0]
				slope += m * p * (1 - p) * e.factor[i] / e.counts[0]
			case fairness.Versus:
				value -= n * m * p * e.factor[i] / e.counts[1]
				slope -= m * p * (1 - p) * e.factor[i] / e.counts[1]
			}
			for k, j := range e.index[i] {
				gradient[j] += slope * e.value[i][k]
			}
		}
		floats.AddScaled(gradient, e.Penalty, weights)
		return value/n + e.Penalty/2*floats.Dot(weights, weights)
	}
	// Value and gradient are asked for one after the other, and computed together.
	var at, slope []float64
	value := 0.0
	compute := func(x []float64) {
		if at == nil || !floats.Equal(at, x) {
			at, slope = append(at[:0], x...), make([]float64, len(x))
			value = of(x, slope)
		}
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { compute(x); return value },
		Grad: func(gradient, x []float64) { compute(x); copy(gradient, slope) },
	}
	settings := &optimize.Settings{MajorIterations: 150, GradientThreshold: 1e-5, Converger: &optimize.FunctionConverge{Absolute: 1e-8, Iterations: 10}}
	result, err := optimize.Minimize(problem, start, settings, &optimize.LBFGS{})
	if result == nil {
		return nil, err
	}
	return result.X, nil
}

// Decide measures the decisions of weights: the value of the criterion, and the error.
func (e *Rows) Decide(weights []float64, comparison fairness.Comparison) (value, wrong float64) {
	e.weigh()
	var counts fairness.PairCounts
	for i, sign := range e.sign {
		positive := e.margin(weights, i) > 0
		if e.factor[i] > 0 {
			counts.Add(e.side[i], positive, e.factor[i])
		}
		if positive != (sign > 0) {
			wrong++
		}
	}
	estimate := comparison.Estimate(counts, fairness.DefaultOptions())
	return estimate.Value, wrong / float64(len(e.sign))
}

// At is the error of the optimum at a value of the criterion, between the multipliers beside it: not a number beyond all of them.
func (c *Curve) At(value float64) float64 {
	for i := 1; i < len(c.Values); i++ {
		a, b := c.Values[i-1], c.Values[i]
		if (a-value)*(b-value) <= 0 && a != b {
			return c.Errors[i-1] + (c.Errors[i]-c.Errors[i-1])*(value-a)/(b-a)
		}
	}
	return math.NaN()
}
