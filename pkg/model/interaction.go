package model

import "math"

// pairLevels is how many levels of a column, the most frequent ones, are looked at when crosses are sought.
const pairLevels = 16

// unlisted is the level of a record whose value is not among those, or that lacks the column.
const unlisted = math.MaxUint8

const (
	// centringRounds of alternate projections take the columns' own effects out of a table.
	centringRounds = 10
	// leastInformation is how much a cell must hold to count: 20 records at a probability of one half.
	leastInformation = 5.0
)

// residuals are those of some records: label less probability, the variance p(1-p) of that, and weights with
// mean 1.
type residuals struct{ residual, variance, weight []float64 }

func (r residuals) part(from, to int) residuals {
	return residuals{r.residual[from:to], r.variance[from:to], r.weight[from:to]}
}

// interaction is a table of two columns: what the combination of their levels adds to the margin beyond what
// each of them adds.
type interaction struct {
	sum         [pairLevels * pairLevels]float64 // of weighted residuals
	information [pairLevels * pairLevels]float64 // sum of weighted variances: the curvature of the loss
	effect      [pairLevels * pairLevels]float64 // on the margin: one Newton step, shrunk
}

// fit fills the table from records, given the levels of both columns. It returns the chi-squared statistic of
// what the combinations explain beyond the columns' own effects, and its degrees of freedom: its mean if there
// is nothing to explain, and half its variance. Without any freedom there is no table.
func (t *interaction) fit(a, b []uint8, r residuals) (statistic, freedom float64) {
	t.tabulate(a, b, r)
	for cell, information := range t.information {
		if information < leastInformation {
			t.sum[cell], t.information[cell] = 0, 0
		}
	}
	lines := 0
	for range centringRounds {
		lines = t.centre(pairLevels, 1) + t.centre(1, pairLevels)
	}
	freedom = float64(1 - lines)
	for cell, information := range t.information {
		if information == 0 {
			continue
		}
		freedom++
		statistic += float64(t.sum[cell]*t.sum[cell]) / information
		t.effect[cell] = t.sum[cell] / (information + leastInformation)
	}
	if lines == 0 || freedom < 1 {
		return 0, 0
	}
	return statistic, freedom
}

// tabulate sums up the records in each cell.
func (t *interaction) tabulate(a, b []uint8, r residuals) {
	*t = interaction{}
	for i, k := range a {
		if k != unlisted && b[i] != unlisted {
			cell := int(k)*pairLevels + int(b[i])
			t.sum[cell] += float64(r.weight[i] * r.residual[i])
			t.information[cell] += float64(r.weight[i] * r.variance[i])
		}
	}
}

// centre takes the weighted mean out of every line of cells; step leads from a line to the next, stride from
// a cell of a line to the next. It returns how many lines hold anything.
func (t *interaction) centre(step, stride int) (lines int) {
	for line := range pairLevels {
		sum, information := 0.0, 0.0
		for k := range pairLevels {
			cell := line*step + k*stride
			sum += t.sum[cell]
			information += t.information[cell]
		}
		if information <= 0 {
			continue
		}
		lines++
		for k := range pairLevels {
			cell := line*step + k*stride
			t.sum[cell] -= float64(sum / information * t.information[cell])
		}
	}
	return lines
}

// evidence is how far records that the table was not filled from bear it out, in standard deviations: the sum
// of residual times effect, by the root of its quadratic variation. As each residual is of a prediction made
// before its record was learnt, the sum is a martingale if there is no such effect, and the quotient is
// normal in the limit (Hall and Heyde, Martingale Limit Theory, 1980, theorem 3.2).
func (t *interaction) evidence(a, b []uint8, r residuals) float64 {
	sum, square := 0.0, 0.0
	for i, k := range a {
		if k != unlisted && b[i] != unlisted {
			x := float64(r.weight[i] * r.residual[i] * t.effect[int(k)*pairLevels+int(b[i])])
			sum += x
			square += float64(x * x)
		}
	}
	if square <= 0 {
		return 0
	}
	return sum / math.Sqrt(square)
}

// explain takes out of the residuals all that the combinations of two columns explain, chance included.
func (t *interaction) explain(a, b []uint8, r residuals) {
	t.tabulate(a, b, r)
	for i, k := range a {
		if k != unlisted && b[i] != unlisted {
			cell := int(k)*pairLevels + int(b[i])
			if t.information[cell] > 0 {
				r.residual[i] -= float64(r.variance[i] * t.sum[cell] / t.information[cell])
			}
		}
	}
}
