// Package decimals writes numbers as the shortest decimals that are read as the same number again. It imports nothing of the project.
package decimals

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Everyday numbers are those within these bounds: below, places would need powers of five of more than 64 bits, and from most on strconv writes
// exponents.
const (
	least = 0x1p-36
	most  = 1e6
)

// fives are powers of five, all that fit into 64 bits.
var fives = func() (powers [28]uint64) {
	powers[0] = 1
	for i := 1; i < len(powers); i++ {
		powers[i] = 5 * powers[i-1]
	}
	return powers
}()

// Append appends the shortest decimals that are read as x again, and of these the ones nearest to x: the same bytes as
// strconv.AppendFloat(dst, x, 'g', -1, 64), in less than half of the time for everyday numbers.
//
// A number is m·2^e with 2^52 < m < 2^53, and what is read as this number lies between (m ± ½)·2^e. With so many places p that 10^−p is at most 2^e, and
// more than a tenth of it, at least one number of p places lies there, and at most one of p−1 places: if there is one it is the shortest, else the one of p
// places that is nearest. For everyday numbers, 2m·5^p has at most 117 bits, so all of this is exact. The two bounds are never numbers of p places
// themselves, because 2m ± 1 is odd.
func Append(dst []byte, x float64) []byte {
	pattern := math.Float64bits(x)
	mantissa, exponent := pattern&(1<<52-1)|1<<52, int(pattern>>52&0x7ff)-1075
	if size := math.Abs(x); !(size >= least && size < most) || mantissa == 1<<52 { // a power of two has a nearer neighbour below
		return strconv.AppendFloat(dst, x, 'g', -1, 64)
	}
	places := -(exponent * 78913 >> 18) // log 2 / log 10 is 78913/2^18, near enough for exponents of four digits
	shift := 1 - exponent - places      // from 24 to 62
	high, low := bits.Mul64(2*mantissa, fives[places])
	upper, lower := floorOf(high, low, fives[places], shift), floorOf(high, low, -fives[places], shift)+1
	digits := upper / 10
	if places--; digits*10 < lower {
		places++
		digits = high<<(64-shift) | low>>shift
		rest, half := low&(1<<shift-1), uint64(1)<<(shift-1)
		if rest > half || rest == half && digits%2 == 1 {
			digits++
		}
	}
	if x < 0 {
		dst = append(dst, '-')
	}
	return appendDigits(dst, digits, places)
}

// floorOf is the sum of a number of 128 bits and one of 64 bits with a sign, without so many of the last bits.
func floorOf(high, low, add uint64, shift int) uint64 {
	low, carry := bits.Add64(low, add, 0)
	high += uint64(int64(add)>>63) + carry
	return high<<(64-shift) | low>>shift
}

// written is how many digits appendDigits writes before it leaves out zeros: one, and twice eight.
const written = 17

// appendDigits appends digits, above 0 and below 10^17, of which so many are behind the point.
func appendDigits(dst []byte, digits uint64, places int) []byte {
	var text [written]byte
	top, last := digits/1e8, eight(digits%1e8)
	text[0] = byte('0' + top/1e8)
	middle := eight(top % 1e8)
	binary.LittleEndian.PutUint64(text[1:], middle|zeros)
	binary.LittleEndian.PutUint64(text[9:], last|zeros)
	begin, end := 0, written-bits.LeadingZeros64(last)/8
	if last == 0 {
		end = written - 8 - bits.LeadingZeros64(middle)/8
	}
	for text[begin] == '0' {
		begin++
	}
	switch power := written - begin - places - 1; { // of ten, of the first digit
	case power < -4:
		dst = append(dst, text[begin])
		if end > begin+1 {
			dst = append(append(dst, '.'), text[begin+1:end]...)
		}
		dst = append(dst, "e-"...)
		return append(dst, byte('0'+-power/10), byte('0'+-power%10))
	case power < 0:
		// All that there may be of digits is stored, in words, and then counted: to copy as many as there are takes longer.
		n, ahead := len(dst), 1-power
		dst = slices.Grow(dst, longest)
		to := (*[longest]byte)(dst[n : n+longest])
		binary.LittleEndian.PutUint64(to[:], zeros)
		digits := (*[written]byte)(to[ahead-begin:])
		digits[0] = text[0]
		binary.LittleEndian.PutUint64(digits[1:], middle|zeros)
		binary.LittleEndian.PutUint64(digits[9:], last|zeros)
		to[0], to[1] = '0', '.'
		return dst[:n+ahead+end-begin]
	default:
		point := begin + power + 1
		dst = append(dst, text[begin:point]...)
		if end > point {
			dst = append(append(dst, '.'), text[point:end]...)
		}
		return dst
	}
}

// longest is the most that there may be of a number below 1 without an exponent: 0.000 before the digits.
const longest = 5 + written

// zeros are eight digits 0.
const zeros = 0x3030303030303030

// eight are the digits of a number below 10^8, the first one in the lowest byte: it is split into halves, fours into twos, and these into digits, all of one
// step at the same time. Divisions are products with 10486/2^20 and 103/2^10.
func eight(x uint64) uint64 {
	x = x/10000 | x%10000<<32
	hundreds := x * 10486 >> 20 & 0x7f_0000_007f
	x = hundreds | (x-100*hundreds)<<16
	tens := x * 103 >> 10 & 0x0f_000f_000f_000f
	return tens | (x-10*tens)<<8
}
