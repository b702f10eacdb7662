package features

import (
	"math"
	"strconv"
	"unsafe"
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
	if x, ok := parseShort(text); ok {
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

// parseShort reads up to 15 digits with a point among them: both the digits and the power of ten are
// then exact, so their quotient is the nearest number.
func parseShort(text []byte) (float64, bool) {
	digits := text
	negative := false
	if len(digits) > 0 && digits[0] == '-' {
		negative = true
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 15 {
		return 0, false
	}
	var mantissa uint64
	point := -1
	for i, c := range digits {
		if c == '.' && point < 0 {
			point = i
			continue
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		mantissa = mantissa*10 + uint64(c-'0')
	}
	x := float64(mantissa)
	if point >= 0 {
		if len(digits) == 1 {
			return 0, false
		}
		x /= powersOfTen[len(digits)-1-point]
	}
	if negative {
		x = -x
	}
	return x, true
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
