package linear

import (
	"slices"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/features"
)

// rescaleBelow is where a scale, or the decay of the averages, is folded into the numbers, before it underflows.
const rescaleBelow = 1e-150

// sum is a sum of rows, the newest weighing most:
//
//	S = Σ γ^age ω φ,  N = Σ γ^age ω,  with γ = 1 − 2/(window+1)
//
// whose effective size is that of a window of equal weights. A linear model's mean margin on these rows
// is w⋅S/N: exact for the weights of this moment, however old the rows, without keeping any of them.
//
// S itself is spread over the weights (see Models); here are its products with the models, which
// change with each step by what that step touches. Rounding errors fade like everything else.
type sum struct {
	keep    float64 // γ
	scale   float64 // S_j = scale · (the number stored with weight j)
	weight  float64 // N
	squared float64 // Σ (γ^age ω)²
	// iterate and lag are, for each model, w⋅S and r⋅S: see Models for r.
	iterate, lag []float64
}

// Keep is the factor by which what came before fades with each row of a sum over a window.
func Keep(window int) float64 { return 1 - 2/(float64(window)+1) }

func newSum(window, models int) sum {
	return sum{keep: Keep(window), scale: 1, iterate: make([]float64, models), lag: make([]float64, models)}
}

// fade makes room for a row of this weight and of these margins. The caller adds weight/scale times the row to the
// stored numbers.
func (s *sum) fade(weight float64, at *Margins) {
	s.scale *= s.keep
	s.weight = float64(s.weight*s.keep) + weight
	s.squared = float64(s.squared*float64(s.keep*s.keep)) + float64(weight*weight)
	for k := range s.iterate {
		s.iterate[k] = float64(s.iterate[k]*s.keep) + float64(weight*at.Iterate[k])
		s.lag[k] = float64(s.lag[k]*s.keep) + float64(weight*at.lag[k])
	}
}

// RowSum is a sum of rows that fades in the same way, and stands by itself: it is multiplied with a model only when somebody asks.
type RowSum struct {
	keep    float64 // by which what came before fades with each row
	scale   float64 // the sum of the j-th number of the rows is scale · values[j]
	weight  float64 // of the rows, faded alike
	values  []float64
	lacking int64 // rows that have yet to come, after a state from before there were such sums
}

// NewRowSum returns the sum of no rows, which will fade as over so many.
func NewRowSum(window int) RowSum { return RowSum{keep: Keep(window), scale: 1} }

// Add adds a row.
func (s *RowSum) Add(row *features.Row, weight float64) {
	s.lacking = max(0, s.lacking-1)
	s.weight = float64(s.weight*s.keep) + weight
	if s.scale *= s.keep; s.scale < rescaleBelow {
		for j := range s.values {
			s.values[j] *= s.scale
		}
		s.scale = 1
	}
	share := weight / s.scale
	for i, j := range row.Index {
		for int(j) >= len(s.values) {
			s.values = append(s.values, 0)
		}
		s.values[j] += float64(share * row.At(i))
	}
}

// Mean is the mean of the products of the rows with a model, none (false) while there are too few rows.
func (s *RowSum) Mean(weight func(j int) float64) (mean float64, ok bool) {
	if s.weight <= 0 || s.lacking > 0 {
		return 0, false
	}
	for j, value := range s.values {
		if value != 0 {
			mean += float64(value * weight(j))
		}
	}
	return mean * s.scale / s.weight, true
}

// Part is what the weights from ≤ j < to add to Mean, and Total the weight of the rows.
func (s *RowSum) Part(weight func(j int) float64, from, to int) (part float64) {
	for j := from; j < min(to, len(s.values)); j++ {
		part += float64(s.values[j] * weight(j))
	}
	return part * s.scale / s.weight
}

// Total is the weight of the rows.
func (s *RowSum) Total() float64 { return s.weight }

// Lack says that the rows before were not added: a window of others has to come before Mean is known.
func (s *RowSum) Lack(window int) { s.lacking = int64(window) }

// Fields codes the sum.
func (s *RowSum) Fields(c *codec.Coder, size int32) {
	c.Sum(&s.weight)
	c.Float(&s.scale)
	c.Check(s.scale > 0 && s.scale <= 1)
	c.Floats(&s.values)
	c.Check(len(s.values) <= int(size))
	c.Count(&s.lacking)
}

// Bins that come late.
//
// A column earns its bins once they show something, which can take 30,000 records. The rows that a sum has from before lack these weights, although the published
// model gives such a record the effect of its bin. The mean of these effects is not 0, because the intercept adapts to it, and the side with more
// rows since then has more of it: on linear data, a difference was off by a third of tau. So a document adds what the older rows lack, as if
// their numbers had been in each bin as often as those since. Interpolation weights are chosen without this, so it changes no weight.

// Late is which bins have come, and how many rows each of some sums had then.
type Late struct {
	sums int     // how many there are
	keep float64 // by which a row fades with each one after it
	bins []lateBins
	rows []int64 // by sum: those since the first bins came

	size     int32 // of the encoder, when it was looked at last
	restored bool  // from a state that lists no bins: those that there are count as old
}

// lateBins are weights from ≤ j < to, one of which each row with a number has.
type lateBins struct {
	from, to int32
	before   []float64 // by sum: the weight that its rows had when the bins came
	rows     []int64   // by sum: Late.rows then
}

// NewLate returns no bins, beside so many sums over a window.
func NewLate(sums, window int) Late { return Late{sums: sums, keep: Keep(window)} }

// Grow takes note of bins that have come. total is the weight of the rows of a sum.
func (l *Late) Grow(e *features.Frozen, total func(sum int) float64) {
	if e.Size() == l.size {
		return
	}
	known := l.size
	l.size = e.Size()
	e.Bins(func(from, to int32) {
		if from < known || slices.ContainsFunc(l.bins, func(b lateBins) bool { return b.from == from }) {
			return
		}
		if l.rows == nil {
			l.rows = make([]int64, l.sums)
		}
		b := lateBins{from: from, to: to, before: make([]float64, l.sums), rows: slices.Clone(l.rows)}
		for sum := range b.before {
			if !l.restored {
				b.before[sum] = total(sum)
			}
		}
		l.bins = append(l.bins, b)
	})
	l.restored = false
}

// Count takes note of a row of a sum.
func (l *Late) Count(sum int) {
	if l.rows != nil {
		l.rows[sum]++
	}
}

// Missed is what the mean of the rows of a sum lacks. total is the weight of these rows, and part what some weights add to the mean.
func (l *Late) Missed(sum int, total float64, part func(from, to int) float64) (missed float64) {
	for i := range l.bins {
		b := &l.bins[i]
		before := b.before[sum] * power(l.keep, l.rows[sum]-b.rows[sum])
		if since := total - before; before > 1e-9*total && since > 1e-9*total {
			missed += float64(part(int(b.from), int(b.to)) * (before / since))
		}
	}
	return missed
}

// power is x to the n, the same on every machine.
func power(x float64, n int64) float64 {
	result := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

// Fields codes the bins, if there are any.
func (l *Late) Fields(c *codec.Coder, size int32) {
	if c.Reading() {
		l.restored = !c.More()
		if l.restored {
			return
		}
		l.rows = make([]int64, l.sums)
	} else if l.rows == nil {
		return
	}
	numbers := func(list *[]int64) {
		if c.Reading() {
			*list = make([]int64, l.sums)
		}
		for sum := range *list {
			c.Count(&(*list)[sum])
		}
	}
	numbers(&l.rows)
	codec.Slice(c, &l.bins, 2+9*l.sums, func(b *lateBins) {
		codec.Index(c, &b.from, int(size))
		codec.Index(c, &b.to, int(size)+1)
		c.Check(b.from > features.Intercept && b.from < b.to)
		if c.Reading() {
			b.before = make([]float64, l.sums)
		}
		for sum := range b.before {
			c.Sum(&b.before[sum])
		}
		numbers(&b.rows)
		for sum := range b.rows {
			c.Check(b.rows[sum] <= l.rows[sum])
		}
	})
}
