package profile

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/record"
)

// tally counts what one column holds.
type tally struct {
	name    string
	missing int
	values  int // not missing

	seen  distinct.Counts // how often each value occurred, by hash, while there is room
	told  int             // values that came while there was room
	full  bool
	texts map[uint64]string // of the first values, if short

	numbers, integers, booleans, words int
	formatted                          int     // numbers that only people read as such
	width                              int     // of every integer, -1 if they differ
	low, high, mean, squares           float64 // squares are of the deviations from the mean (Welford)
	nextLow, nextHigh                  float64 // the lowest and highest of the other numbers
	lows, highs                        int     // how many are the lowest and the highest
	rising, falling                    bool
	previous                           float64
	odd                                map[uint64]Value // texts while most values are numbers
	oddMany                            bool

	times                [len(timeLayouts)]int
	dayFirst, monthFirst int // of dates that can be read in one of these ways only
	known                int // UUIDs and addresses
}

func newTally(name string) *tally {
	return &tally{name: name, texts: map[uint64]string{}, odd: map[uint64]Value{},
		rising: true, falling: true, low: math.Inf(1), high: math.Inf(-1), nextLow: math.Inf(1), nextHigh: math.Inf(-1)}
}

// add takes in one value and returns how many values more are remembered.
func (c *tally) add(text []byte, hash uint64, room bool) (more int) {
	c.values++
	more = c.tell(text, hash, room)
	if isBoolean(text) {
		c.booleans++
	}
	if isKnownIdentifier(text) {
		c.known++
	}
	if x, ok := number(text); ok {
		c.addNumber(text, x)
		c.addTime(text)
		return more
	}
	c.rising, c.falling = false, false
	if isFormatted(text) {
		c.formatted++
	}
	c.addOdd(text, hash)
	c.words += countWords(text)
	c.addTime(text)
	return more
}

// tell counts the value among the different ones.
func (c *tally) tell(text []byte, hash uint64, room bool) (more int) {
	if c.full {
		return 0
	}
	c.told++
	if n := c.seen.Find(hash); n != nil {
		*n++
		return 0
	}
	if c.seen.Len() >= maxDistinct || !room {
		c.told--
		c.full = true
		c.texts = nil
		return 0
	}
	if c.seen.Len() <= fewTexts && len(text) <= shortText {
		c.texts[hash] = string(text)
	}
	c.seen.Make(hash, 1)
	return 1
}

func (c *tally) addNumber(text []byte, x float64) {
	c.numbers++
	if isInteger(text) {
		c.integers++
		switch {
		case c.integers == 1:
			c.width = len(text)
		case c.width != len(text):
			c.width = -1
		}
	}
	if c.numbers > 1 {
		c.rising = c.rising && x > c.previous
		c.falling = c.falling && x < c.previous
	}
	c.previous = x
	c.addEnd(x)
	off := x - c.mean
	c.mean += off / float64(c.numbers)
	c.squares += off * (x - c.mean)
}

// addEnd keeps the lowest and the highest number, and the next.
func (c *tally) addEnd(x float64) {
	switch {
	case x < c.low:
		c.low, c.nextLow, c.lows = x, c.low, 1
	case x == c.low:
		c.lows++
	default:
		c.nextLow = min(c.nextLow, x)
	}
	switch {
	case x > c.high:
		c.high, c.nextHigh, c.highs = x, c.high, 1
	case x == c.high:
		c.highs++
	default:
		c.nextHigh = max(c.nextHigh, x)
	}
}

// addOdd keeps the texts of a column that may be one of numbers.
func (c *tally) addOdd(text []byte, hash uint64) {
	if c.oddMany {
		return
	}
	v, known := c.odd[hash]
	if !known && (len(c.odd) >= fewOdd || len(text) > shortText) {
		c.oddMany, c.odd = true, nil
		return
	}
	if !known {
		v.Text = string(text)
	}
	v.Count++
	c.odd[hash] = v
}

func (c *tally) addTime(text []byte) {
	if len(text) < 6 || len(text) > 40 || text[0] < '0' || text[0] > '9' {
		return
	}
	switch first, second := dayOrMonth(text); {
	case first > 12 && first < 32 && second < 13:
		c.dayFirst++
	case second > 12 && second < 32 && first < 13:
		c.monthFirst++
	}
	for i := range timeLayouts {
		if timeLayouts[i].matches(text) {
			c.times[i]++
			return
		}
	}
}

// dayOrMonth are the first two numbers of a date in figures such as 3/12/2026 or 03.12.26; 0 of another text.
func dayOrMonth(text []byte) (first, second int) {
	first, at := shortNumber(text, 0)
	if first == 0 || at >= len(text) || text[at] != '/' && text[at] != '.' && text[at] != '-' {
		return 0, 0
	}
	separator := text[at]
	second, at = shortNumber(text, at+1)
	if second == 0 || at+2 >= len(text) || text[at] != separator {
		return 0, 0
	}
	return first, second
}

// shortNumber reads one or two digits, and says where they end.
func shortNumber(text []byte, at int) (n, end int) {
	for end = at; end < len(text) && end < at+2 && text[end] >= '0' && text[end] <= '9'; end++ {
		n = 10*n + int(text[end]-'0')
	}
	return n, end
}

// Value is a value with the number of records that hold it.
type Value struct {
	Text  string
	Count int
}

// sort orders values by count, the most frequent first, then by text.
func sort(values []Value) {
	slices.SortFunc(values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
}

// number reads a finite decimal number, as the encoder does.
func number(text []byte) (float64, bool) {
	if len(text) > 64 {
		return 0, false
	}
	return record.Decimal(text)
}

func isInteger(text []byte) bool {
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

func isBoolean(text []byte) bool {
	if len(text) < 2 || len(text) > 5 || text[0] < 'F' { // no digit
		return false
	}
	switch string(bytes.ToLower(text)) {
	case "true", "false", "yes", "no":
		return true
	}
	return false
}

// countWords counts runs of letters, and takes a text without spaces in a script without spaces for one.
func countWords(text []byte) int {
	words, inside := 0, false
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		letter := unicode.IsLetter(r)
		if letter && !inside {
			words++
		}
		inside = letter || inside && !unicode.IsSpace(r)
	}
	return words
}
