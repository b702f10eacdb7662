package inspect

import (
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
	// 0 is a code if at most mostZero are 0, and every other number is at least zeroDistance of the largest.
	mostZero     = .4
	zeroDistance = .15
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
	if c.Low == 0 && c.NextLow >= zeroDistance*c.High && c.NextLow > 1 && many(c.LowCount, leastShare) && float64(c.LowCount) <= mostZero*float64(c.Values) {
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
