package statement

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/app/statement/form"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
)

const (
	// mostRows is how many rows there are at most, a power of 2.
	mostRows = 16384
	// Of a column with at most fewTexts different texts, each of at most shortText bytes, the texts are kept. Of a longer text only the first mostText bytes are read.
	fewTexts  = 100
	shortText = 32
	mostText  = 64
)

// column is a field of the rows.
type column struct {
	name   string
	place  uint16 // among the columns
	id     uint64 // the same of the same name
	last   int64  // the record that it has a value of
	beside bool   // an attribute, the time, the weight or a field that is ignored
	values
	texts map[uint64]string // by hash; nil if there are many, or long ones
	times int               // values that were read as times
	zeros int               // values that are 0

	feature   bool // decisions depend on it
	attribute bool
}

// values are those of a column, by row, and what is found out of them once.
type values struct {
	hashes  []uint64  // 0 where there is none
	numbers []float64 // of times the seconds since 1970, NaN of other texts
	ways    []uint8   // how it is written, a place in forms; 0 where there is none
	forms   []form.Form
	codes   []uint16 // for a value of a numeric column that is not a number, its place in different; 0 elsewhere
	of      []uint64 // the different hashes
	order   []uint16 // of a column of numbers, the rows that have one, by it

	given   int // values
	numeric bool
}

// nearlyNumbers is the share of the values of a column of numbers that are numbers.
const nearlyNumbers = .95

// isTime says whether the numbers are times.
func (c *column) isTime() bool { return c.given > 0 && 2*c.times > c.given }

// read is a value that was read.
type read struct {
	hash   uint64
	number float64
	way    uint8
	time   bool
}

// remembered is how many values of a column are not read again while they come again.
const remembered = 32

// read reads a text of a column.
func (c *column) read(text []byte, hash uint64) read {
	x, isTime := table.Number(text), false
	if math.IsNaN(x) {
		if at, ok := profile.ParseTime(text); ok {
			x, isTime = float64(at.Unix()), true
		}
	}
	is := form.Of(text)
	way := slices.Index(c.forms, is)
	if way < 0 {
		way = len(c.forms)
		c.forms = append(c.forms, is)
	}
	if _, known := c.texts[hash]; c.texts != nil && !known {
		if c.texts[hash] = string(text); len(c.texts) > fewTexts || len(text) > shortText {
			c.texts = nil
		}
	}
	return read{hash, x, uint8(way), isTime}
}

// finish finds out what is asked of all values. coded and keys are room for that.
func (c *column) finish(coded map[uint64]uint16, keys []uint64) {
	keys = keys[:0]
	for r, hash := range c.hashes {
		if hash == 0 {
			continue
		}
		c.given++
		if x := c.numbers[r]; !math.IsNaN(x) {
			keys = append(keys, rising64(x)&^mostRowsMask|uint64(r))
			if x == 0 {
				c.zeros++
			}
		}
	}
	c.numeric = c.given > 0 && float64(len(keys)) >= nearlyNumbers*float64(c.given)
	if c.numeric {
		slices.Sort(keys)
		c.order = make([]uint16, len(keys))
		for i, key := range keys {
			c.order[i] = uint16(key & mostRowsMask)
		}
		by := func(a, b uint16) int { return cmp.Compare(c.numbers[a], c.numbers[b]) }
		if !slices.IsSortedFunc(c.order, by) { // the keys tell large numbers apart too little
			slices.SortStableFunc(c.order, by)
		}
	}
	clear(coded)
	for r, hash := range c.hashes {
		if hash == 0 || c.numeric && c.texts == nil && !math.IsNaN(c.numbers[r]) {
			continue
		}
		code, known := coded[hash]
		if !known {
			code = uint16(len(c.of))
			c.of = append(c.of, hash)
			coded[hash] = code
		}
		c.codes[r] = code
	}
}

// mostRowsMask are the bits of the number of a row.
const mostRowsMask = mostRows - 1

// rising64 orders numbers as integers.
func rising64(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// side says of which part of the rows each one is.
type side int8

const (
	neither side = iota
	ofPart
	ofRest
)

// kind is in what the values differ.
type kind int

const (
	missing kind = 1 << iota
	category
	numbers
	writing // how they are written
)

// part is what is compared of a column in some of the rows.
type part struct {
	rows, given int
	forms       map[form.Form]int
	texts       map[uint64]int
	numbers     []float64 // sorted
}

// parts are those of the rows of either side. Their numbers are in a space.
func (c *column) parts(sides []side, want kind, space *[2][]float64) (p, rest part) {
	var ways [3][256]int // by side
	for r, way := range c.ways {
		ways[sides[r]][way]++
	}
	p, rest = c.written(&ways[ofPart]), c.written(&ways[ofRest])
	switch {
	case c.numeric && want&numbers != 0:
		x, y := space[0][:0], space[1][:0]
		for _, r := range c.order {
			switch sides[r] {
			case ofPart:
				x = append(x, c.numbers[r])
			case ofRest:
				y = append(y, c.numbers[r])
			}
		}
		p.numbers, rest.numbers = x, y
	case !c.numeric && c.texts != nil && want&category != 0:
		p.texts, rest.texts = c.textsOf(sides, ofPart), c.textsOf(sides, ofRest)
	}
	return p, rest
}

// whole is the part of all rows.
func (c *column) whole(want kind) part {
	var ways [256]int
	for _, way := range c.ways {
		ways[way]++
	}
	p := c.written(&ways)
	switch {
	case c.numeric && want&numbers != 0:
		p.numbers = c.sorted()
	case !c.numeric && c.texts != nil && want&category != 0:
		p.texts = c.textsOf(nil, neither)
	}
	return p
}

// written is a part of which so many rows are written in each way.
func (c *column) written(ways *[256]int) part {
	p := part{forms: make(map[form.Form]int, len(c.forms))}
	for way, is := range c.forms {
		p.rows += ways[way]
		if way > 0 && ways[way] > 0 {
			p.forms[is] = ways[way]
		}
	}
	p.given = p.rows - ways[0]
	return p
}

// textsOf are how many rows of a side have each text, by hash.
func (c *column) textsOf(sides []side, is side) map[uint64]int {
	counts := make([]int, len(c.of))
	for r, code := range c.codes {
		if sides == nil || sides[r] == is {
			counts[code]++
		}
	}
	texts := make(map[uint64]int, len(counts))
	for code := 1; code < len(counts); code++ {
		if counts[code] > 0 {
			texts[c.of[code]] = counts[code]
		}
	}
	return texts
}

// sorted are the numbers of a column of numbers.
func (c *column) sorted() []float64 {
	x := make([]float64, len(c.order))
	for i, r := range c.order {
		x[i] = c.numbers[r]
	}
	return x
}
