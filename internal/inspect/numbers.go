package inspect

import (
	"maps"
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
	// 0 is a code if at most mostZero are 0, and every other number is at least zeroDistance of the largest, or, of zeroDistinct different ones, zeroOfMean
	// of the mean.
	mostZero     = .4
	zeroDistance = .15
	zeroDistinct = 100
	zeroOfMean   = .12
	// A positive code is above the others by at least so many times their range.
	codeDistance = .5
)

// coded finds numbers that probably stand for "not known".
func (s *search) coded() {
	for _, c := range s.columns {
		if (c.Kind != profile.Number && c.Kind != profile.Spoilt) || c.Distinct < codedDistinct || !s.features[c.Name] && !slices.Contains(s.attributes, c.Name) {
			continue
		}
		for _, code := range codesOf(&c) {
			what := "is learnt as a number"
			if !s.features[c.Name] {
				what = "puts these records in a group"
			}
			s.add(false, "record.missing", "add %q if it stands for \"not known\": %q is %s in %d of %d records and from %s to %s in all others, and the code %s",
				code.text, c.Name, code.text, code.count, c.Values, plain(code.low), plain(code.high), what)
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
	if c.Low == 0 && (c.NextLow >= zeroDistance*c.High || c.Distinct >= zeroDistinct && c.NextLow >= zeroOfMean*c.Mean) && c.NextLow > 1 && many(c.LowCount, leastShare) && float64(c.LowCount) <= mostZero*float64(c.Values) {
		codes = append(codes, code{"0", c.LowCount, c.NextLow, c.High})
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

// gap is where the numbers above zero of a column fall apart into two kinds: the ends of the lower ones and of the upper ones.
type gap struct {
	low, below, above, high float64
	upper                   float64 // share
}

// gap finds the widest one, which both ends of a long column must have.
func (e *ends) gap() gap {
	first, newest := gapOf(e.first), gapOf(e.newest)
	switch {
	case len(e.newest) == 0 || first.upper == 0:
		return first
	case len(e.newest) == unitNumbers && (newest.upper == 0 || newest.above <= first.below || first.above <= newest.below):
		return gap{}
	}
	return first
}

func gapOf(numbers []float64) (found gap) {
	x := slices.DeleteFunc(slices.Clone(numbers), func(v float64) bool { return v <= 0 })
	if len(x) < leastGapped {
		return gap{}
	}
	slices.Sort(x)
	least := int(leastKind * float64(len(x)))
	widest := float64(gapFactor)
	for at := least; at <= len(x)-least; at++ {
		ratio := x[at] / x[at-1]
		if ratio < narrowGap || distinct(x[:at]) < leastDifferent || distinct(x[at:]) < leastDifferent {
			continue
		}
		if ratio >= widest || found.upper == 0 && twoUnits(x[:at], x[at:]) {
			widest, found = max(widest, ratio), gap{x[0], x[at-1], x[at], x[len(x)-1], 1 - float64(at)/float64(len(x))}
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
	if distance(fahrenheit, upper, 1) < unitDeviations*math.Sqrt(1/n+1/m) {
		return true
	}
	return slices.ContainsFunc(factors, func(f float64) bool { return distance(lower, upper, f) < unitDeviations*math.Sqrt(1/n+1/m) })
}

// gaps finds numbers of two kinds, as of two units, ages among years of birth, or amounts of another column.
func (s *search) gaps() {
	for _, c := range s.columns {
		e := s.ends[c.Name]
		if c.Kind != profile.Number || e == nil || !s.features[c.Name] || slices.Contains(s.left, c.Name) || slices.Contains(s.changed, c.Name) || e.factor() != 0 || len(codesOf(&c)) > 0 {
			continue
		}
		if g := e.gap(); g.upper > 0 {
			s.add(false, "record", "%q holds two kinds of numbers: of its first %d, %s are from %s to %s, the others from %s to %s, and none is between. Write all in one unit where the records are made",
				c.Name, len(e.first), percent(g.upper), plain(g.above), plain(g.high), plain(g.low), plain(g.below))
		}
	}
}

const (
	// Numbers are far from the others if they are at least 2^farPowers times as large, which no distribution of amounts brings about, and at most
	// mostFar of all; of fewer than leastGapped nothing is said.
	farPowers = 10
	mostFar   = leastKind
)

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

// far is how many numbers are far above all others, and the powers between which nothing is.
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

// power is a power of two, rounded to two digits.
func power(of int) string {
	digits := math.Pow(10, math.Floor(math.Log10(math.Ldexp(1, of)))-1)
	return plain(math.Round(math.Ldexp(1, of)/digits) * digits)
}

// outlying finds a few numbers that are far above all others.
func (s *search) outlying() {
	for _, c := range s.columns {
		e := s.ends[c.Name]
		if e == nil || !s.features[c.Name] || slices.Contains(s.left, c.Name) || len(codesOf(&c)) > 0 {
			continue
		}
		if above, all, below, from := e.powers.far(); above > 0 {
			s.add(false, "record", "%d of %d numbers in %q are %s or more, and all others below %s: if they are mistakes, correct them where the records are made; if they stand for \"not known\", list them in record.missing",
				above, all, c.Name, power(from), power(below))
		}
	}
}

// codes finds numbers that are names of places or things.
func (s *search) codes() {
	for _, c := range s.columns {
		if c.Kind == profile.Number && c.Distinct > 2 && profile.IsCodeName(c.Name) && s.features[c.Name] && s.config.Learner.Columns[c.Name].Type == "" {
			s.add(false, "learner.columns", "%q has the name of a code, and is learnt as an amount: if its numbers only tell places or things apart, add {%s: {type: categorical}}", c.Name, c.Name)
		}
	}
}
