package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/fairstream/fairstream/internal/profile"
)

// Values lists values with their counts: male (260), female (240).
func Values(values []profile.Value) string {
	var all []string
	for _, v := range values {
		all = append(all, fmt.Sprintf("%s (%d)", Quote(v.Text), v.Count))
	}
	return strings.Join(all, ", ")
}

// Seen lists the values of a column, if it has few.
func Seen(c *profile.Column) string {
	if c == nil || len(c.Shown) == 0 {
		return ""
	}
	return fmt.Sprintf(": the values of %q are %s", c.Name, Values(c.Shown))
}

// Quote is a text as it is, or in quotes if it would not be seen as one. Letters that look like others are written as their numbers.
func Quote(text string) string {
	if seemsOther(text) {
		return strconv.QuoteToASCII(text)
	}
	if text == "" || strings.ContainsAny(text, " ,()\"") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// Percent is a share in percent, without digits behind the point.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// Share is a percentage, with a digit more where it is small.
func Share(x float64) string {
	if x > 0 && x < .1 {
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return Percent(x)
}

// Number is a number without an exponent, with as many digits as it needs.
func Number(x float64) string {
	if math.Abs(x) >= 1e15 { // nobody counts so many digits
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Power is a power of two, rounded to two digits.
func Power(of int) string {
	digits := math.Pow(10, math.Floor(math.Log10(math.Ldexp(1, of)))-1)
	return Number(math.Round(math.Ldexp(1, of)/digits) * digits)
}

// mostTold is how many columns are named in one sentence.
const mostTold = 5

// List puts names in one sentence: a, b and c.
func List(names []string) string {
	if len(names) > mostTold {
		return strings.Join(names[:mostTold], ", ") + fmt.Sprintf(" and %d more", len(names)-mostTold)
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
