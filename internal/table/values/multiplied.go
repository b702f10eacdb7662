package values

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// A few numbers are others times a factor if leastMultiplied rows, and mostMultiplied of all at most, lie beyond the geometric middle between the median
	// and the median times the factor. Of these leastBeyond lie beyond five sixths of the way, beyondDeviations more than there would be if the numbers went
	// on to become rarer as they do from the third before the middle to the third behind it. Amounts of all sizes fall off at least so fast. Nine tenths of the
	// others span less than mostSpan of the factor: small incomes are a tenth of others by chance.
	leastMultiplied  = 15
	leastDivided     = 40 // small amounts are rarer the smaller they are, down to the smallest
	mostMultiplied   = .15
	leastBeyond      = .6
	beyondDeviations = 6
	mostSpan         = .5
)

// multiples are what a wrong decimal mark or a wrong unit multiplies by.
var multiples = []float64{100, 1000, 10, 1e6}

// Multiplied is by what a few of the positive numbers of a column are probably multiplied, how many they are, and of how many. They are distributed as
// the others are, times that factor. 0 is none.
func Multiplied(t *table.Table, name string) (factor float64, rows, of int) {
	c := t.Column(name)
	if c == nil {
		return 0, 0, 0
	}
	x := slices.DeleteFunc(slices.Clone(c.Numbers), func(v float64) bool { return !(v > 0) })
	if len(x) < 2*table.Enough {
		return 0, 0, 0
	}
	slices.Sort(x)
	for _, f := range multiples {
		if n := beyond(x, f); n > 0 && alikeTimes(x[len(x)-n:], x[:len(x)-n], f) {
			return f, n, len(x)
		}
		if n := beyond(x, 1/f); n > 0 && alikeTimes(x[:n], x[n:], 1/f) {
			return 1 / f, n, len(x)
		}
	}
	return 0, 0, 0
}

// beyond is how many numbers lie beyond the middle between the median and the median times a factor, 0 if the others may bring them about.
func beyond(x []float64, factor float64) int {
	median := x[len(x)/2]
	past := func(way float64) float64 {
		at, _ := slices.BinarySearch(x, median*math.Pow(factor, way))
		if factor < 1 {
			return float64(at)
		}
		return float64(len(x) - at)
	}
	before, rows, far := past(1./6), past(.5), past(5./6)
	least := leastMultiplied
	if factor < 1 {
		least = leastDivided
	}
	if rows < float64(least) || rows > mostMultiplied*float64(len(x)) || far < leastBeyond*rows {
		return 0
	}
	between := rows - far + 1
	if expected := between * between / max(before-rows-between, 1); far < expected+beyondDeviations*math.Sqrt(expected+1) {
		return 0
	}
	return int(rows)
}

// alikeTimes says whether a few numbers are distributed as the others are times a factor. Both are sorted.
func alikeTimes(few, others []float64, factor float64) bool {
	if others[len(others)*19/20]/others[len(others)/20] > max(factor, 1/factor)*mostSpan {
		return false
	}
	return table.Distinct(few) >= leastMultiplied*2/3 && table.Apart(few, others, factor) <= table.Deviations(len(few), len(others))
}
