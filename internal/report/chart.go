package report

import (
	"fmt"
	"math"
	"strconv"
)

// Figures are drawn 340 units wide, about the width of a telephone, so that their texts can be read on one.
const figureWidth = 340.0

// scale maps numbers to places.
type scale struct{ from, to, low, high float64 }

// at is the place of x, within the scale.
func (s scale) at(x float64) float64 {
	share := (x - s.from) / (s.to - s.from)
	return round(s.low + min(1, max(0, share))*(s.high-s.low))
}

// round keeps a page short.
func round(x float64) float64 { return math.Round(x*10) / 10 }

// tick is a line across a figure with its number.
type tick struct {
	At   float64
	Text string
}

// spread widens from and to, so that points do not lie on the edge, and returns a scale from low to high.
func spread(from, to, low, high float64) scale {
	if !(from < to) {
		from, to = from-.01, to+.01
	}
	margin := (to - from) * .08
	return scale{from - margin, to + margin, low, high}
}

// ticks are round numbers on a scale, about so many.
func (s scale) ticks(about int) []tick {
	step := (s.to - s.from) / float64(about)
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if power*factor >= step {
			step = power * factor
			break
		}
	}
	var ticks []tick
	for i := math.Ceil(s.from / step); i*step <= s.to; i++ {
		x := i*step + 0 // never −0
		ticks = append(ticks, tick{s.at(x), strconv.FormatFloat(math.Round(x*1e9)/1e9, 'f', -1, 64)})
	}
	return ticks
}

// known leaves out values that are not numbers.
func known(numbers ...float64) (found []float64) {
	for _, x := range numbers {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			found = append(found, x)
		}
	}
	return found
}

// words is a number with its interval.
func (n Number) words(format string) string {
	switch {
	case math.IsNaN(n.Value):
		return "–"
	case math.IsNaN(n.Lo) || math.IsNaN(n.Hi):
		return fmt.Sprintf(format, n.Value)
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", n.Value, n.Lo, n.Hi)
}

// short is a name that fits into a figure. The page shows the whole of it in a table or on pointing.
func short(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
