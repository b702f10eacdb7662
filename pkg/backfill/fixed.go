package backfill

import (
	"math"
	"math/bits"

	"github.com/fairstream/fairstream/internal/codec"
)

// fixed is a sum of numbers in units of 2^-30, in 128 bits. Adding to it is exact, so neither the order of records nor who adds them
// changes a bit, and no sum of less than 2^63 numbers overflows.
type fixed struct {
	low  uint64
	high int64
}

// Numbers are at most largest, so that each fits into 63 bits: a row has no value beyond largestValue, and no coefficient of the sums is
// above 2^12.
const (
	unitBits     = 30
	largestValue = 1 << 10
	largest      = 1 << 31
)

// toFixed rounds a number to the unit.
func toFixed(x float64) int64 {
	return int64(math.RoundToEven(min(largest, max(-largest, x)) * (1 << unitBits)))
}

func (f *fixed) add(units int64) {
	var carry uint64
	f.low, carry = bits.Add64(f.low, uint64(units), 0)
	f.high += units>>63 + int64(carry)
}

func (f *fixed) merge(other fixed) {
	var carry uint64
	f.low, carry = bits.Add64(f.low, other.low, 0)
	f.high += other.high + int64(carry)
}

// value is the sum as the nearest number, or the one next to it.
func (f fixed) value() float64 {
	low, high, sign := f.low, f.high, 1.0
	if high < 0 { // the magnitude keeps its precision where that of a small negative number would be lost
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		high, sign = -high-int64(borrow), -1
	}
	return sign * (float64(float64(high)*(1<<(64-unitBits))) + float64(float64(low)*(1./(1<<unitBits))))
}

// fields are both halves. The low one changes sign with the high one, so that small sums take few bytes.
func (f *fixed) fields(c *codec.Coder) {
	low := int64(f.low)
	c.Int(&low)
	f.low = uint64(low)
	c.Int(&f.high)
}

func mergeAll(into, from []fixed) {
	for i := range into {
		into[i].merge(from[i])
	}
}

func values(sums []fixed) []float64 {
	numbers := make([]float64, len(sums))
	for i := range sums {
		numbers[i] = sums[i].value()
	}
	return numbers
}
