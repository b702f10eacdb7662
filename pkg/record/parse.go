package record

import (
	"strconv"
	"unsafe"
)

// Decimal reads a finite decimal number such as -1.5e3: the notation of JSON and CSV, without
// the hexadecimal floats, underscores, infinities and NaN that strconv also takes.
func Decimal(text []byte) (float64, bool) {
	if x, ok := ShortDecimal(text); ok {
		return x, true
	}
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(view(text), 64)
	return f, err == nil
}

// view is text as a string that shares its bytes, for calls that do not keep it.
func view(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }
