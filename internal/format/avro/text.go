package avro

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/big"
	"strconv"
	"time"
)

// maxDecimalBytes bounds a decimal: 300 digits.
const maxDecimalBytes = 128

// appendDecimal appends unscaled times 10 to the power of -scale, exactly and without zeros at its end: unscaled is a big-endian number in
// two's complement.
func appendDecimal(dst, unscaled []byte, scale int) ([]byte, error) {
	if len(unscaled) > maxDecimalBytes {
		return dst, errors.New("a decimal is longer than 128 bytes")
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
		return append(dst, number...), nil
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

const (
	secondsADay = 24 * 60 * 60
	instant     = "2006-01-02T15:04:05.999999999Z"
	localTime   = "2006-01-02T15:04:05.999999999"
	clock       = "15:04:05.999999999"
)

// appendTime appends the text of a number of a logical type of time.
func appendTime(dst []byte, k kind, value int64) []byte {
	switch k {
	case date:
		return time.Unix(value*secondsADay, 0).UTC().AppendFormat(dst, time.DateOnly)
	case timeMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, clock)
	case timeMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, clock)
	case timestampMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, instant)
	case timestampMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, instant)
	case timestampNanos:
		return time.Unix(0, value).UTC().AppendFormat(dst, instant)
	case localMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, localTime)
	case localMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, localTime)
	}
	return time.Unix(0, value).UTC().AppendFormat(dst, localTime)
}

// appendUUID appends the text of RFC 9562.
func appendUUID(dst, b []byte) []byte {
	dst = hex.AppendEncode(dst, b[:4])
	for i := 4; i < 10; i += 2 {
		dst = hex.AppendEncode(append(dst, '-'), b[i:i+2])
	}
	return hex.AppendEncode(append(dst, '-'), b[10:])
}

// appendDuration appends months, days and milliseconds, as ISO 8601 writes durations.
func appendDuration(dst, b []byte) []byte {
	months, days, millis := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	dst = strconv.AppendUint(append(dst, 'P'), uint64(months), 10)
	dst = strconv.AppendUint(append(dst, 'M'), uint64(days), 10)
	dst = strconv.AppendFloat(append(dst, "DT"...), float64(millis)/1000, 'f', -1, 64)
	return append(dst, 'S')
}
