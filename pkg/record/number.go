package record

import (
	"math"
	"strconv"
)

// AppendNumber appends a float of 32 or 64 bits as JSON.stringify of ECMAScript and RFC 8785 write it: the fewest digits that give the same
// float of its width, with an exponent below 1e-6 and from 1e21 on. A whole number has no point, so an int and the float that it became
// are one text. What JSON has no number for is NaN, which counts as missing unless record.missing says otherwise, Infinity or -Infinity.
func AppendNumber(dst []byte, value float64, bits int) []byte {
	magnitude := math.Abs(value)
	switch {
	case value == 0:
		return append(dst, '0') // -0 too
	case math.IsNaN(value):
		return append(dst, "NaN"...)
	case math.IsInf(value, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(value, -1):
		return append(dst, "-Infinity"...)
	case magnitude < 1<<53 && value == math.Trunc(value) && bits == 64:
		return strconv.AppendInt(dst, int64(value), 10) // many times as fast
	}
	small, large := magnitude < 1e-6, magnitude >= 1e21
	if bits == 32 {
		small, large = float32(magnitude) < 1e-6, float32(magnitude) >= 1e21
	}
	if !small && !large {
		return strconv.AppendFloat(dst, value, 'f', -1, bits)
	}
	dst = strconv.AppendFloat(dst, value, 'e', -1, bits)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-09 is e-9
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
