package distinct

import (
	"maps"
	"math/bits"

	"github.com/fairstream/fairstream/pkg/record"
)

// mostKept is how many different contents are counted.
const mostKept = 1 << 14

// Contents counts things by their content: of all contents, or of those whose mixed key has so many zeros at its end. All copies of one are then counted. The zero
// value is empty and ready.
type Contents struct {
	zeros int
	seen  map[uint64]int
}

// Add counts a thing by a key of its content.
func (c *Contents) Add(key uint64) {
	key = record.Mix(0, key)
	if bits.TrailingZeros64(key) < c.zeros {
		return
	}
	if c.seen == nil {
		c.seen = map[uint64]int{}
	}
	for c.seen[key]++; len(c.seen) > mostKept; {
		c.zeros++
		maps.DeleteFunc(c.seen, func(key uint64, _ int) bool { return bits.TrailingZeros64(key) < c.zeros })
	}
}

// Share is that of the things that equal an earlier one, 0 if there is none.
func (c *Contents) Share() float64 {
	if len(c.seen) == 0 {
		return 0
	}
	return 1 - float64(len(c.seen))/float64(c.Counted())
}

// Different is about how many different contents there are.
func (c *Contents) Different() int { return len(c.seen) << c.zeros }

// Counted is how many things are counted.
func (c *Contents) Counted() (all int) {
	for _, n := range c.seen {
		all += n
	}
	return all
}

// Among is how many things have the content of one of others, of how many whose content is counted in both.
func (c *Contents) Among(others *Contents) (copied, of int) {
	zeros := max(c.zeros, others.zeros)
	for key, n := range c.seen {
		if bits.TrailingZeros64(key) < zeros {
			continue
		}
		if of += n; others.seen[key] > 0 {
			copied += n
		}
	}
	return copied, of
}
