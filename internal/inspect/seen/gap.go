package seen

import (
	"maps"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Numbers are of two kinds if the lowest of the upper ones is gapFactor times the highest of the lower ones or more. Of each kind
	// there are leastKind of the numbers above zero, and leastDifferent different ones.
	gapFactor      = 8
	leastGapped    = 200
	leastKind      = .05
	leastDifferent = 10
	// A gap of narrowGap is enough where the upper numbers are distributed as the lower ones are, times a known factor. The distance between two samples
	// of one distribution exceeds unitDeviations √(1/n + 1/m) once in 100 times (Kolmogorov and Smirnov).
	narrowGap      = 2
	unitDeviations = 1.63
)

// Gap is where the numbers above zero of a column fall apart into two kinds: the ends of the lower ones and of the upper ones.
type Gap struct {
	Low, Below, Above, High float64
	Upper                   float64 // share
	Of                      int     // numbers of the column, the first ones or an even selection
}

// Gap finds the widest one, which both ends of a long column must have.
func (e *Ends) Gap() Gap {
	first, newest := gapOf(e.first), gapOf(e.newest)
	switch {
	case len(e.newest) == 0 || first.Upper == 0:
		return first
	case len(e.newest) == UnitNumbers && (newest.Upper == 0 || newest.Above <= first.Below || first.Above <= newest.Below):
		return Gap{}
	}
	return first
}

// EvenGap finds the widest one of an even selection of a column's numbers: one kind of which may begin late.
func EvenGap(t *table.Table, name string) Gap {
	c := t.Column(name)
	if c == nil {
		return Gap{}
	}
	return gapOf(slices.DeleteFunc(slices.Clone(c.Numbers), math.IsNaN))
}

func gapOf(numbers []float64) (found Gap) {
	x := slices.DeleteFunc(slices.Clone(numbers), func(v float64) bool { return v <= 0 })
	if len(x) < leastGapped {
		return Gap{}
	}
	slices.Sort(x)
	least := int(leastKind * float64(len(x)))
	widest := float64(gapFactor)
	for at := least; at <= len(x)-least; at++ {
		ratio := x[at] / x[at-1]
		if ratio < narrowGap || min(table.Distinct(x[:at]), table.Distinct(x[at:])) < leastDifferent {
			continue
		}
		if ratio >= widest || found.Upper == 0 && twoUnits(x[:at], x[at:]) {
			widest, found = max(widest, ratio), Gap{Low: x[0], Below: x[at-1], Above: x[at], High: x[len(x)-1], Upper: 1 - float64(at)/float64(len(x)), Of: len(numbers)}
		}
	}
	return found
}

// twoUnits says whether the upper numbers are distributed as the lower ones are, times the factor between two units. Both are sorted.
func twoUnits(lower, upper []float64) bool {
	n, m := float64(len(lower)), float64(len(upper))
	fahrenheit := make([]float64, len(lower)) // of degrees Celsius
	for i, x := range lower {
		fahrenheit[i] = 1.8*x + 32
	}
	if table.Apart(fahrenheit, upper, 1) < unitDeviations*math.Sqrt(1/n+1/m) {
		return true
	}
	return slices.ContainsFunc(factors, func(f float64) bool { return table.Apart(upper, lower, f) < unitDeviations*math.Sqrt(1/n+1/m) })
}

const (
	// Numbers are far from the others if they are at least 2^farPowers times as large, which no distribution of amounts brings about, and at most
	// mostFar of all; of fewer than leastGapped nothing is said.
	farPowers = 10
	mostFar   = leastKind
)

// Far is how many numbers of a column are far above all others, and the powers between which nothing is.
func (e *Ends) Far() (above, all int64, below, from int) { return e.powers.far() }

// far does so for numbers that were counted.
func (p powers) far() (above, all int64, below, from int) {
	sorted := slices.Sorted(maps.Keys(p))
	for _, n := range p {
		all += n
	}
	if all < leastGapped {
		return 0, all, 0, 0
	}
	for at := len(sorted) - 1; at > 0; at-- {
		if above += p[sorted[at]]; float64(above) > mostFar*float64(all) {
			break
		}
		if sorted[at]-sorted[at-1] > farPowers { // the smallest above is then more than 2^farPowers times the largest below
			return above, all, sorted[at-1] + 1, sorted[at]
		}
	}
	return 0, all, 0, 0
}
