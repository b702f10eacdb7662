package english

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

var printer = message.NewPrinter(language.English)

// Sprintf is fmt.Sprintf for people: 39,074 records.
func Sprintf(format string, arguments ...any) string { return printer.Sprintf(format, arguments...) }

// Fprintf is fmt.Fprintf for people.
func Fprintf(w io.Writer, format string, arguments ...any) (int, error) {
	return printer.Fprintf(w, format, arguments...)
}

// Counted is a number of things: 1 record, 2,000 records.
func Counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Sprintf("%d %ss", n, thing)
}

// WithInterval is a number with its interval; absent numbers are a dash, and so is an absent interval, as about the
// mean of a single record.
func WithInterval(value, lo, hi float64, format string) string {
	if math.IsNaN(value) {
		return "–"
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return fmt.Sprintf(format+" [–]", value)
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", value, lo, hi)
}

// InUnits is a format for a number in units of the label, whatever they are, with its interval: two digits of
// the interval's half-width are shown.
func InUnits(lo, hi float64, verb string) string {
	half := (hi - lo) / 2
	if !(half >= 1e-9) || math.Abs(lo)+math.Abs(hi) >= 1e15 {
		return verb + ".4g"
	}
	return fmt.Sprintf("%s.%df", verb, max(0, 1-int(math.Floor(math.Log10(half)))))
}

// Number is a number as people write it: 250000 rather than 2.5e+05.
func Number(x float64) string {
	if size := math.Abs(x); size < 1e-9 || size >= 1e15 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// FourDigits is a number with four digits.
func FourDigits(x float64) string {
	if size := math.Abs(x); size >= 1e4 && size < 1e15 {
		return Sprintf("%.0f", x)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// Share is a share of records in per cent, never rounded to nothing or all.
func Share(part, all int) string {
	percent := 100 * float64(part) / float64(all)
	switch {
	case part == 0:
		return "0 %"
	case percent < .1:
		return "less than 0.1 %"
	case percent > 99.9 && part < all:
		return "more than 99.9 %"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", percent), ".0") + " %"
}

// Percent is a share from 0 to 1 in per cent, with a digit more where it is near 0 or 1, and never rounded to nothing or all.
func Percent(x float64) string {
	switch {
	case x > 0 && x < .001:
		return "less than 0.1 %"
	case x > .999 && x < 1:
		return "more than 99.9 %"
	case x > .1 && x < .9:
		return fmt.Sprintf("%.0f %%", 100*x)
	}
	return Number(math.Round(1000*x)/10) + " %"
}

// RoundTo2 rounds to two significant digits.
func RoundTo2(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	if err != nil || !(rounded > 0) || math.IsInf(rounded, 0) {
		return 1
	}
	return rounded
}
