package features

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/fairstream/fairstream/pkg/record"
)

// largestNumber bounds the numbers of a column, so that squares, differences and the next number after one
// are finite. A number beyond it counts as the bound.
const largestNumber = 1e150

// readNumber is parseNumber within the bounds.
func readNumber(text []byte) (float64, bool) {
	x, ok := parseNumber(text)
	return min(largestNumber, max(-largestNumber, x)), ok
}

// parseNumber reads a finite decimal number. It agrees with strconv.ParseFloat on everything that it
// accepts, and refuses what is a number only to a programmer: hexadecimal, underscores, inf and nan.
func parseNumber(text []byte) (float64, bool) {
	if x, ok := record.ShortDecimal(text); ok {
		return x, true
	}
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	if len(text) == 0 {
		return 0, false
	}
	// The string is not kept beyond the call.
	x, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}
