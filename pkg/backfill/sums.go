package backfill

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

// MostDense is how many weights have a full matrix of curvature. With more, only its diagonal is summed.
const MostDense = 2048

var mostDense = MostDense // tests lower it

const (
	// largestRelative bounds a record's weight, in units of the mean weight, as the learner does.
	largestRelative = 100.0
	// largestMargin bounds margins in values that are only compared.
	largestMargin = 1 << 20
	// rounding is over how far to both sides of a margin, in units of control.MarginUnit, inner values are averaged. A hinge so becomes a
	// parabola, and Newton's steps converge; with its kinks at margins of records they do not.
	rounding = .25
	// mostCurved bounds the curvature that a kink gives one record.
	mostCurved = 1 << 9
)

// term is what is minimised beside the loss of one model: a push, with the curvature that its outer function had last.
type term struct {
	comparison int
	pushed     control.Pushed
	slopes     [surrogate.MaxInner]float64 // of the outer function in the inner values, times the factor
}

// candidate is a model whose sums are asked for.
type candidate struct {
	weights []float64
	term    *term // nil without constraint
	settled bool  // it is to decide only: its sums stay empty
}

// sums are those of one candidate.
type sums struct {
	loss      fixed
	gradient  []fixed
	curvature []fixed // packed lower triangle by rows, or the diagonal
	inner     [surrogate.MaxInner]fixed
	slopes    [surrogate.MaxInner][]fixed // of the inner values in the weights; nil of frequencies
}

// total are the sums of all candidates over the records of one shard, or of all.
type total struct {
	dense      bool
	weight     fixed
	touched    []fixed    // Σ weight x², by weight
	sides      [][2]fixed // by comparison: weight on each side
	records    int64
	candidates []sums
	held       heldOut

	margins []float64 // scratch
	xs      []float64
}

// heldOut is what the candidates together decide about records that are in no other sum.
type heldOut struct {
	records int64
	weight  fixed
	loss    fixed
	wrong   fixed
	sides   [][2]counted // by comparison
}

type counted struct{ weight, positive, squared fixed }

func newTotal(size, comparisons int, candidates []candidate) *total {
	t := &total{dense: size <= mostDense, touched: make([]fixed, size), sides: make([][2]fixed, comparisons),
		candidates: make([]sums, len(candidates)), margins: make([]float64, len(candidates))}
	t.held.sides = make([][2]counted, comparisons)
	for i := range t.candidates {
		s := &t.candidates[i]
		if candidates[i].settled {
			continue
		}
		s.gradient, s.curvature = make([]fixed, size), make([]fixed, size)
		if t.dense {
			s.curvature = make([]fixed, size*(size+1)/2)
		}
		if term := candidates[i].term; term != nil {
			half := term.pushed.Relaxation.InnerSize() / 2
			for k := range 2 * half {
				if k%half != 0 {
					s.slopes[k] = make([]fixed, size)
				}
			}
		}
	}
	return t
}

// sideOf is 0 for the group, 1 for versus, and −1 for a record that counts for neither.
func sideOf(side fairness.Side) int {
	switch side {
	case fairness.Group:
		return 0
	case fairness.Versus:
		return 1
	}
	return -1
}

// margin of a row.
func margin(weights []float64, row *features.Row) (z float64) {
	for i, j := range row.Index {
		z += float64(weights[j] * row.At(i))
	}
	return z
}

// hold counts what the candidates decide about a record that was held out.
func (t *total) hold(candidates []candidate, e *model.Example, relative float64) {
	z := margin(candidates[0].weights, e.Row)
	free := z
	for _, c := range candidates[1:] {
		z += margin(c.weights, e.Row) - free
	}
	h, weight := &t.held, toFixed(relative)
	h.records++
	h.weight.add(weight)
	h.loss.add(toFixed(relative * lossOf(z, e.Positive)))
	if e.Positive != (z > 0) {
		h.wrong.add(weight)
	}
	for i, side := range e.Sides {
		at := sideOf(side)
		if at < 0 {
			continue
		}
		c := &h.sides[i][at]
		c.weight.add(weight)
		c.squared.add(toFixed(relative * relative))
		if z > 0 {
			c.positive.add(weight)
		}
	}
}

// lossOf is ln(1 + exp(−y z)).
func lossOf(z float64, positive bool) float64 {
	if positive {
		z = -z
	}
	z = max(-largestMargin, min(largestMargin, z))
	return max(0, z) - math.Log1p(-logistic.Probability(-math.Abs(z)))
}

// add takes in a record. relative is its weight in units of the mean.
func (t *total) add(candidates []candidate, e *model.Example, relative float64) {
	row := e.Row
	weight := toFixed(relative)
	t.records++
	t.weight.add(weight)
	for i, side := range e.Sides {
		if at := sideOf(side); at >= 0 {
			t.sides[i][at].add(weight)
		}
	}
	t.xs = t.xs[:0]
	for i, j := range row.Index {
		x := max(-largestValue, min(largestValue, row.At(i)))
		t.xs = append(t.xs, x)
		t.touched[j].add(toFixed(float64(relative*x) * x))
	}
	for k := range candidates {
		if candidates[k].settled {
			continue
		}
		t.one(&t.candidates[k], &candidates[k], e, relative)
	}
}

// one takes in a record for one candidate.
func (t *total) one(s *sums, c *candidate, e *model.Example, relative float64) {
	row := e.Row
	z := 0.0
	for i, j := range row.Index {
		z += float64(c.weights[j] * t.xs[i])
	}
	probability := logistic.Probability(z)
	slope := probability
	if e.Positive {
		slope = -logistic.Probability(-z)
	}
	s.loss.add(toFixed(relative * lossOf(z, e.Positive)))
	gradient, curved := float64(relative*slope), float64(probability*(1-probability))
	for i, j := range row.Index {
		s.gradient[j].add(toFixed(float64(gradient * t.xs[i])))
	}
	if c.term != nil && sideOf(e.Sides[c.term.comparison]) >= 0 {
		curved += t.push(s, c.term, e, z, relative)
	}
	curved = float64(curved * relative)
	if !t.dense {
		for i, j := range row.Index {
			s.curvature[j].add(toFixed(float64(float64(curved*t.xs[i]) * t.xs[i])))
		}
		return
	}
	for i, a := range row.Index {
		x := float64(curved * t.xs[i])
		one := toFixed(x)
		for k, b := range row.Index[:i+1] {
			units := one
			if t.xs[k] != 1 {
				units = toFixed(float64(x * t.xs[k]))
			}
			if a == b && k < i {
				units *= 2 // an index that comes twice: (x + x')² has both products
			}
			s.curvature[packed(int(a), int(b))].add(units)
		}
	}
}

// packed is where a pair of weights stands.
func packed(a, b int) int {
	if a < b {
		a, b = b, a
	}
	return a*(a+1)/2 + b
}

// push takes in a record for the term of a candidate, and returns its curvature in the margin.
func (t *total) push(s *sums, c *term, e *model.Example, z, relative float64) (curvature float64) {
	r, side := &c.pushed.Relaxation, e.Sides[c.comparison]
	unit := control.MarginUnit * max(-largestMargin, min(largestMargin, z))
	var inner, left, right, leftSlopes, rightSlopes [surrogate.MaxInner]float64
	r.Inner(inner[:], side, unit)
	r.Inner(left[:], side, unit-rounding)
	r.Inner(right[:], side, unit+rounding)
	r.InnerDerivative(leftSlopes[:], side, unit-rounding)
	r.InnerDerivative(rightSlopes[:], side, unit+rounding)
	for i := range r.InnerSize() {
		s.inner[i].add(toFixed(float64(relative * inner[i])))
		if slope := float64(float64(relative*control.MarginUnit) * ((right[i] - left[i]) / (2 * rounding))); slope != 0 {
			for k, j := range e.Row.Index {
				s.slopes[i][j].add(toFixed(float64(slope * t.xs[k])))
			}
		}
		curvature += float64(c.slopes[i] * ((rightSlopes[i] - leftSlopes[i]) / (2 * rounding)))
	}
	return min(mostCurved, max(0, float64(curvature*(control.MarginUnit*control.MarginUnit))))
}

// merge adds the sums of another shard.
func (t *total) merge(other *total) {
	t.weight.merge(other.weight)
	t.records += other.records
	mergeAll(t.touched, other.touched)
	for i := range t.sides {
		mergeAll(t.sides[i][:], other.sides[i][:])
	}
	for k := range t.candidates {
		into, from := &t.candidates[k], &other.candidates[k]
		into.loss.merge(from.loss)
		mergeAll(into.gradient, from.gradient)
		mergeAll(into.curvature, from.curvature)
		mergeAll(into.inner[:], from.inner[:])
		for i := range into.slopes {
			mergeAll(into.slopes[i], from.slopes[i])
		}
	}
	h, o := &t.held, &other.held
	h.records += o.records
	h.weight.merge(o.weight)
	h.loss.merge(o.loss)
	h.wrong.merge(o.wrong)
	for i := range h.sides {
		for side := range 2 {
			into, from := &h.sides[i][side], &o.sides[i][side]
			into.weight.merge(from.weight)
			into.positive.merge(from.positive)
			into.squared.merge(from.squared)
		}
	}
}

// fields are all sums. How many there are is known to both sides.
func (t *total) fields(c *codec.Coder) {
	all := func(sums []fixed) {
		for i := range sums {
			sums[i].fields(c)
		}
	}
	t.weight.fields(c)
	c.Count(&t.records)
	all(t.touched)
	for i := range t.sides {
		all(t.sides[i][:])
	}
	for k := range t.candidates {
		s := &t.candidates[k]
		s.loss.fields(c)
		all(s.gradient)
		all(s.curvature)
		all(s.inner[:])
		for i := range s.slopes {
			all(s.slopes[i])
		}
	}
	h := &t.held
	c.Count(&h.records)
	for _, sum := range []*fixed{&h.weight, &h.loss, &h.wrong} {
		sum.fields(c)
	}
	for i := range h.sides {
		for side := range 2 {
			one := &h.sides[i][side]
			for _, sum := range []*fixed{&one.weight, &one.positive, &one.squared} {
				sum.fields(c)
			}
		}
	}
}
