package inspect

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/fairstream/fairstream/internal/profile"
)

// A code is a number that stands for "not known", such as -999 or 9999.
const (
	// Of the values of a column leastCoded must be the code, and a negative one at least leastNegative of them.
	leastCoded    = 10
	leastShare    = .02
	leastNegative = .005
	// codedDistinct is how many different values a column has at least: in a short list -1 is likely to be a level.
	codedDistinct = 6
	// A positive code is above the others by at least so many times their range.
	codeDistance = .5
)

// coded finds numbers that probably stand for "not known".
func (s *search) coded() {
	for _, c := range s.columns {
		if (c.Kind != profile.Number && c.Kind != profile.Spoilt) || c.Distinct < codedDistinct || !s.features[c.Name] {
			continue
		}
		for _, code := range codesOf(&c) {
			s.add(false, "record.missing", "add %q if it stands for \"not known\": %q is %s in %d of %d records and from %s to %s in all others, and the code is learnt as a number",
				code.text, c.Name, code.text, code.count, c.Values, plain(code.low), plain(code.high))
		}
	}
}

type code struct {
	text      string
	count     int
	low, high float64 // of the other numbers
}

func codesOf(c *profile.Column) (codes []code) {
	many := func(count int, share float64) bool {
		return count >= leastCoded && float64(count) >= share*float64(c.Values)
	}
	if (c.Low == -1 || isRepeated(-c.Low, "789")) && c.NextLow >= 0 && many(c.LowCount, leastNegative) {
		codes = append(codes, code{plain(c.Low), c.LowCount, c.NextLow, c.High})
	}
	if isRepeated(c.High, "9") && c.High-c.NextHigh > codeDistance*(c.NextHigh-c.Low) && many(c.HighCount, leastShare) {
		codes = append(codes, code{plain(c.High), c.HighCount, c.Low, c.NextHigh})
	}
	return codes
}

// isRepeated says whether a number is written with two or more times the same one of digits.
func isRepeated(x float64, digits string) bool {
	if x < 11 || x != math.Trunc(x) || x > 1e12 {
		return false
	}
	text := plain(x)
	for i := range text {
		if text[i] != text[0] {
			return false
		}
	}
	return slices.Contains([]byte(digits), text[0])
}

func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// A unit changes where the newest numbers of a column are its first ones times a known factor.
const (
	// unitNumbers of a column are kept from the start and from the end.
	unitNumbers = 512
	// The distributions differ by at least unitsApart (Kolmogorov and Smirnov's distance), and by at most unitsAlike once the
	// first numbers are multiplied.
	unitsApart = .5
	unitsAlike = .12
	// unitDistinct is how many different numbers both parts have at least.
	unitDistinct = 10
)

// factors between units: powers of ten, percent, dozens, minutes and hours, pounds and kilograms, inches, miles.
var factors = []float64{10, 100, 1000, 1e6, 12, 60, 3600, 24, 7, 1024, 2.2046, 2.54, 1.6093, 3.2808}

// ends are the first and the newest numbers of a column.
type ends struct {
	first, newest []float64
	next          int
}

func (e *ends) add(x float64) {
	switch {
	case len(e.first) < unitNumbers:
		e.first = append(e.first, x)
	case len(e.newest) < unitNumbers:
		e.newest = append(e.newest, x)
	default:
		e.newest[e.next] = x
		e.next = (e.next + 1) % unitNumbers
	}
}

// factor is what the first numbers were multiplied by, 0 if nothing shows that.
func (e *ends) factor() float64 {
	if len(e.newest) < unitNumbers {
		return 0
	}
	first, newest := slices.Clone(e.first), slices.Clone(e.newest)
	slices.Sort(first)
	slices.Sort(newest)
	if distinct(first) < unitDistinct || distinct(newest) < unitDistinct || distance(first, newest, 1) < unitsApart {
		return 0
	}
	best := unitsAlike
	found := 0.0
	for _, f := range factors {
		for _, f := range []float64{f, 1 / f} {
			if d := distance(first, newest, f); d < best {
				best, found = d, f
			}
		}
	}
	return found
}

func distinct(sorted []float64) (n int) {
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			n++
		}
	}
	return n
}

// distance is the largest difference of the distribution functions of a times f and b, both sorted. Numbers within a thousandth
// count as equal, since units are rounded.
func distance(a, b []float64, f float64) (most float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i]*f, b[j])
		upTo := x + math.Abs(x)/1000
		for i < len(a) && a[i]*f <= upTo {
			i++
		}
		for j < len(b) && b[j] <= upTo {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// units finds columns whose unit changes on the way.
func (s *search) units() {
	for _, c := range s.columns {
		e := s.ends[c.Name]
		if e == nil {
			continue
		}
		if f := e.factor(); f != 0 {
			s.add(false, "record", "the unit of %q changes: its newest %d numbers are spread as the first %d are, times %s. Write all in one unit where the records are made",
				c.Name, unitNumbers, unitNumbers, plain(cmp.Or(math.Round(f*1e4)/1e4, f)))
		}
	}
}
