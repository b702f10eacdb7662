package seen

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

// factors between units: powers of ten, percent, dozens, minutes and hours, pounds and kilograms, inches, miles.
var factors = []float64{10, 100, 1000, 1e6, 12, 60, 3600, 24, 7, 1024, 2.2046, 2.54, 1.6093, 3.2808}

// A unit changes where the newest numbers of a column are its first ones times a known factor.
const (
	// UnitNumbers of a column are kept from the start and from the end.
	UnitNumbers = 512
	// The distributions differ by at least unitsApart (Kolmogorov and Smirnov's distance), and by at most unitsAlike once the
	// first numbers are multiplied.
	unitsApart = .5
	unitsAlike = .12
	// unitDistinct is how many different numbers both parts have at least.
	unitDistinct = 10
)

// Ends are the first and the newest numbers of a column.
type Ends struct {
	first, newest []float64
	next          int
	powers        powers // of all numbers
	rise          rise
	asked         bool // since the last number, and
	factor        float64
}

// Add takes in the next number.
func (e *Ends) Add(x float64) {
	e.asked = false
	switch {
	case len(e.first) < UnitNumbers:
		e.first = append(e.first, x)
	case len(e.newest) < UnitNumbers:
		e.newest = append(e.newest, x)
	default:
		e.newest[e.next] = x
		e.next = (e.next + 1) % UnitNumbers
	}
}

// Factor is what the first numbers were multiplied by, 0 if nothing shows that. Many questions about a column begin with it.
func (e *Ends) Factor() float64 {
	if !e.asked {
		e.asked, e.factor = true, e.findFactor()
	}
	return e.factor
}

func (e *Ends) findFactor() float64 {
	if len(e.newest) < UnitNumbers {
		return 0
	}
	first, newest := slices.Clone(e.first), slices.Clone(e.newest)
	slices.Sort(first)
	slices.Sort(newest)
	if min(table.Distinct(first), table.Distinct(newest)) < unitDistinct || table.Apart(first, newest, 1) < unitsApart {
		return 0
	}
	best := unitsAlike
	found := 0.0
	for _, f := range factors {
		for _, f := range []float64{f, 1 / f} {
			if d := table.Apart(newest, first, f); d < best {
				best, found = d, f
			}
		}
	}
	return found
}

// Left says whether the newest numbers are unlike the first.
func (e *Ends) Left() bool { return len(e.newest) == UnitNumbers && e.apart(e) >= unitsApart }

// Continues says whether the newest numbers are like the first of another column.
func (e *Ends) Continues(other *Ends) bool { return other.apart(e) < unitsAlike }

// apart is the distance of the first numbers of a column from the newest of another.
func (e *Ends) apart(newest *Ends) float64 {
	a, b := slices.Clone(e.first), slices.Clone(newest.newest)
	slices.Sort(a)
	slices.Sort(b)
	return table.Apart(a, b, 1)
}

// rise counts how often the next of some numbers is larger, and smaller.
type rise struct {
	last     float64
	any      bool
	up, down int
}

func (r *rise) add(x float64) {
	switch {
	case !r.any:
		r.any = true
	case x > r.last:
		r.up++
	case x < r.last:
		r.down++
	}
	r.last = x
}

const (
	// Numbers are sorted if they step leastSteps times, and at most one in againstSteps of these in the other direction.
	leastSteps   = 20
	againstSteps = 200
)

// Sorted says whether the numbers are in their order, or the reverse.
func (e *Ends) Sorted() bool {
	more, fewer := max(e.rise.up, e.rise.down), min(e.rise.up, e.rise.down)
	return more >= leastSteps && againstSteps*fewer <= more
}

// powers counts numbers by the power of two below their magnitude.
type powers map[int]int64

func (p *powers) add(x float64) {
	if x == 0 || math.IsInf(x, 0) {
		return
	}
	if *p == nil {
		*p = powers{}
	}
	(*p)[math.Ilogb(x)]++
}
