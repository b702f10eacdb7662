package seen

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/words"
	"github.com/fairstream/fairstream/internal/profile"
)

// A code is a number that stands for "not known", such as -999 or 9999.
const (
	// Of the values of a column leastCoded must be the code, and a negative one at least leastNegative of them.
	leastCoded    = 10
	leastShare    = .02
	leastNegative = .005
	// 0 is a code if at most mostZero are 0, and every other number is at least zeroDistance of the largest, or, of zeroDistinct different ones, zeroOfMean
	// of the mean.
	mostZero     = .4
	zeroDistance = .15
	zeroDistinct = 100
	zeroOfMean   = .12
	// A positive code is above the others by at least so many times their range.
	codeDistance = .5
)

// Code is such a number, and what the others are.
type Code struct {
	Text      string
	Count     int
	Low, High float64 // of the other numbers
}

// CodesOf are the codes of a column.
func CodesOf(c *profile.Column) (codes []Code) {
	many := func(count int, share float64) bool {
		return count >= leastCoded && float64(count) >= share*float64(c.Values)
	}
	if (c.Low == -1 || c.Low == -7 || c.Low == -8 || c.Low == -9 || isRepeated(-c.Low, "789")) && c.NextLow >= 0 && many(c.LowCount, leastNegative) {
		codes = append(codes, Code{words.Number(c.Low), c.LowCount, c.NextLow, c.High})
	}
	if c.Low == 0 && (c.NextLow >= zeroDistance*c.High || c.Distinct >= zeroDistinct && c.NextLow >= zeroOfMean*c.Mean) && c.NextLow > 1 && many(c.LowCount, leastShare) && float64(c.LowCount) <= mostZero*float64(c.Values) {
		codes = append(codes, Code{"0", c.LowCount, c.NextLow, c.High})
	}
	if isRepeated(c.High, "9") && c.High-c.NextHigh > codeDistance*(c.NextHigh-c.Low) && many(c.HighCount, leastShare) {
		codes = append(codes, Code{words.Number(c.High), c.HighCount, c.Low, c.NextHigh})
	}
	return codes
}

// isRepeated says whether a number is written with two or more times the same one of digits.
func isRepeated(x float64, digits string) bool {
	if x < 11 || x != math.Trunc(x) || x > 1e12 {
		return false
	}
	text := words.Number(x)
	for i := range text {
		if text[i] != text[0] {
			return false
		}
	}
	return slices.Contains([]byte(digits), text[0])
}

// LeastScores is how many different numbers a column has that may be the scores of a model, numbers from 0 to 1, 100 or 1,000.
const LeastScores = 100

// IsScore says whether the numbers of a column have the range of scores: from 0 to 1, to 100 or to 1,000.
func IsScore(c *profile.Column) bool {
	return c.Low >= 0 && !profile.IsAgeName(c.Name) && slices.ContainsFunc([]float64{1, 100, 1000}, func(most float64) bool {
		return c.Low <= most/4 && c.High <= most && c.High >= most*3/4
	})
}
