package main

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// penalties are the values of C that a batch logistic regression is tried with.
var penalties = []float64{0.01, 0.1, 1}

// quality is how good probabilities are on records that were not learnt.
type quality struct{ accuracy, loss float64 }

// batch is logistic regression on all records at once, with the C that is best on the held-out records: an advantage over
// whoever may not look at these.
func batch(columns int, learnt, held []sample) (best quality) {
	best.loss = math.Inf(1)
	var start []float64
	for _, c := range penalties {
		start = fit(columns, learnt, 1/c, start)
		if q := measure(held, start); q.loss < best.loss {
			best = q
		}
	}
	return best
}

// fit minimises the log loss plus penalty/2 |w|². The last weight is the intercept.
func fit(columns int, learnt []sample, penalty float64, start []float64) []float64 {
	if start == nil {
		start = make([]float64, columns+1)
	}
	scale := 1 / float64(len(learnt))
	var last []float64
	value := 0.0
	slope := make([]float64, columns+1)
	evaluate := func(w []float64) {
		if last != nil && same(last, w) {
			return
		}
		last = append(last[:0], w...)
		value = 0
		clear(slope)
		for i := range learnt {
			s := &learnt[i]
			y := -1.0
			if s.positive {
				y = 1
			}
			m := y * margin(w, s)
			value += math.Log1p(math.Exp(-math.Abs(m))) + max(0, -m)
			g := -y * probability(-m)
			slope[columns] += g
			for k, j := range s.dense.index {
				slope[j] += g * s.dense.value[k]
			}
		}
		value *= scale
		for j := range slope {
			slope[j] *= scale
			if j < columns {
				value += scale * penalty / 2 * w[j] * w[j]
				slope[j] += scale * penalty * w[j]
			}
		}
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { evaluate(w); return value },
		Grad: func(g, w []float64) { evaluate(w); copy(g, slope) },
	}, start, &optimize.Settings{GradientThreshold: 1e-5, MajorIterations: 200}, &optimize.LBFGS{})
	if result == nil {
		panic(err)
	}
	return result.X
}

func same(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func margin(w []float64, s *sample) float64 {
	m := w[len(w)-1]
	for k, j := range s.dense.index {
		m += w[j] * s.dense.value[k]
	}
	return m
}

func measure(held []sample, w []float64) (q quality) {
	for i := range held {
		q.add(margin(w, &held[i]), held[i].positive, len(held))
	}
	return q
}

// add takes in the margin of one of so many records.
func (q *quality) add(margin float64, positive bool, records int) {
	if (margin > 0) == positive {
		q.accuracy += 1 / float64(records)
	}
	if !positive {
		margin = -margin
	}
	q.loss += (math.Log1p(math.Exp(-math.Abs(margin))) + max(0, -margin)) / float64(records)
}
