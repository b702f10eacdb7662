package record

// ShortDecimal reads a number of up to 15 digits with a point among them, as strconv.ParseFloat does: both the digits and the power of ten are
// exact, so their quotient is the nearest number. Of other texts, numbers among them, ok is false.
func ShortDecimal(text []byte) (x float64, ok bool) {
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
	x = float64(mantissa)
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
