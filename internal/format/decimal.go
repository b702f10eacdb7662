package format

import (
	"errors"
	"math/big"
	"strconv"
)

const (
	// maxDecimalBytes bounds a decimal: 300 digits.
	maxDecimalBytes = 128
	// maxScale bounds the zeros that a scale may add.
	maxScale = 400
)

// AppendDecimal appends unscaled times 10 to the power of -scale, exactly and without zeros at its end: unscaled is a big-endian number in
// two's complement.
func AppendDecimal(dst, unscaled []byte, scale int) ([]byte, error) {
	if len(unscaled) > maxDecimalBytes {
		return dst, errors.New("a decimal is longer than 128 bytes")
	}
	if scale < -maxScale || scale > maxScale {
		return dst, errors.New("a decimal has a scale beyond 400")
	}
	var digits [24]byte
	number := digits[:0]
	if len(unscaled) <= 8 {
		var value int64
		if len(unscaled) > 0 {
			value = int64(int8(unscaled[0]))
			for _, b := range unscaled[1:] {
				value = value<<8 | int64(b)
			}
		}
		number = strconv.AppendInt(number, value, 10)
	} else {
		value := new(big.Int).SetBytes(unscaled)
		if unscaled[0] >= 0x80 {
			value.Sub(value, new(big.Int).Lsh(big.NewInt(1), uint(8*len(unscaled))))
		}
		number = value.Append(number, 10)
	}
	if number[0] == '-' {
		dst, number = append(dst, '-'), number[1:]
	}
	if len(number) == 1 && number[0] == '0' {
		return append(dst, '0'), nil
	}
	for scale > 0 && number[len(number)-1] == '0' {
		number, scale = number[:len(number)-1], scale-1
	}
	if scale <= 0 {
		dst = append(dst, number...)
		for ; scale < 0; scale++ {
			dst = append(dst, '0')
		}
		return dst, nil
	}
	whole := len(number) - scale
	if whole > 0 {
		dst = append(dst, number[:whole]...)
	} else {
		dst = append(dst, '0')
	}
	dst = append(dst, '.')
	for ; whole < 0; whole++ {
		dst = append(dst, '0')
	}
	return append(dst, number[max(0, len(number)-scale):]...), nil
}
