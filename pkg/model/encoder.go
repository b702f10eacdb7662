package model

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// encoder turns the features of a record into non-zeros. While it learns (Encode with grow) it meets
// new columns and levels and gives them weights; nothing it has decided changes later, so a weight
// keeps its meaning for good.
//
// The order of a record's fields makes no difference: columns are numbered in the order in which
// records bring them, those of one record by name, and non-zeros come in the order of the columns.
type encoder struct {
	config  LearnerConfig
	columns []column
	words   *vocabulary
	size    int32 // number of weights; weight 0 is the intercept
	ignored int64 // fields not encoded because there were too many columns

	candidates candidates // levels that have no weight yet

	byName map[string]int32
	// byID finds the column of a record.Names id. It is a cache: ids differ from run to run, so the name is
	// compared too, which is quick while it is the very string that was seen before.
	byID    []namedColumn
	crosses []cross
	scratch encoderScratch
}

type namedColumn struct {
	name   string
	column int32
}

// remembered is what a text of a column was encoded to.
type remembered struct {
	key     uint64
	token   uint64
	weights [fewWeights]int32
	count   int8 // 0 in an empty entry
	waits   bool // for a weight of its own
}

// memorySize is how many texts the encoder remembers: a table in which a new text displaces an old one.
const memorySize = 1024

type encoderScratch struct {
	memory [memorySize]remembered
	layout uint64  // record.Record.Layout of the present record, 0 if not all of its fields have a column
	found  []int32 // column of each field of the present record, -1 if it has none
	order  []placed
	fresh  []string
	tokens []uint64 // per column: what the present record contributes to crosses
	stamps []uint64 // per column: the record that set the token
	record uint64
}

// placed is a field of the present record and its column.
type placed struct {
	column int32
	field  int32
}

// intercept is the weight that every record has.
const intercept int32 = 0

func newEncoder(config LearnerConfig) *encoder {
	e := &encoder{config: config, words: newVocabulary(config.Vocabulary), size: intercept + 1,
		byName: map[string]int32{}}
	for _, names := range config.Crosses {
		e.crosses = append(e.crosses, newCross(names))
	}
	return e
}

// observe looks at a record before any is encoded, for the types and bins of its columns.
func (e *encoder) observe(features []record.Field) {
	e.place(features, 0, true)
	for _, p := range e.scratch.order {
		if f := &features[p.field]; !f.Missing && !e.columns[p.column].decided {
			e.columns[p.column].observe(f.Text)
		}
	}
}

// decide ends the observation of the first records.
func (e *encoder) decide() {
	for i := range e.columns {
		if c := &e.columns[i]; !c.decided && c.observed() >= leastSample {
			e.size = c.decide(e.size)
		}
	}
}

// encode replaces row by the non-zeros of a record. With grow, new columns and levels are taken in;
// without, what is unknown contributes nothing. layout is record.Record.Layout, or 0.
func (e *encoder) encode(row *Row, features []record.Field, layout uint64, grow bool) {
	row.reset()
	row.add(intercept, 1)
	e.place(features, layout, grow)
	e.candidates.waiting = e.candidates.waiting[:0]
	for _, p := range e.scratch.order {
		e.encodeField(row, &e.columns[p.column], p.column, &features[p.field], grow)
	}
	for i := range e.crosses {
		e.encodeCross(row, i, features, grow)
	}
}

// largestResidual keeps sums of squares of weighted residuals finite.
const largestResidual = 1e15

// reveal takes in what the label of the record that was just encoded was off the prediction, and the variance
// of that by the prediction. What is done with it changes the encoding of later records only.
func (e *encoder) reveal(residual, variance, weight float64) {
	if !(math.Abs(residual) <= largestResidual && variance <= largestResidual) {
		return // of a model that diverges
	}
	for _, w := range e.candidates.waiting {
		if square, tried := e.candidates.learn(w.key, residual, variance, weight); tried && w.column >= 0 {
			e.columns[w.column].try(square)
		}
	}
	e.candidates.waiting = e.candidates.waiting[:0]
}

// place finds the column of every field, and orders them by column. Records mostly bring the same fields
// in the same order, and then the order of the record before serves again.
func (e *encoder) place(features []record.Field, layout uint64, grow bool) {
	s := &e.scratch
	s.record++
	if layout != 0 && layout == s.layout {
		return
	}
	s.layout = layout
	s.fresh = s.fresh[:0]
	same := len(features) == len(s.found)
	s.found = slices.Grow(s.found[:0], len(features))[:len(features)]
	for i := range features {
		column := e.find(&features[i])
		if column < 0 && grow {
			s.fresh = append(s.fresh, features[i].Name)
		}
		if column < 0 {
			s.layout = 0
		}
		same = same && s.found[i] == column
		s.found[i] = column
	}
	if len(s.fresh) > 0 && e.takeColumns(s.fresh) {
		e.place(features, layout, false)
		return
	}
	if same {
		return
	}
	s.order = s.order[:0]
	for i, column := range s.found {
		if column >= 0 {
			s.order = append(s.order, placed{column, int32(i)})
		}
	}
	slices.SortFunc(s.order, func(a, b placed) int { return int(a.column - b.column) })
}

// find returns the column of a field, or -1.
func (e *encoder) find(f *record.Field) int32 {
	if f.ID >= 0 && int(f.ID) < len(e.byID) {
		if known := &e.byID[f.ID]; known.name == f.Name && known.name != "" {
			return known.column
		}
	}
	column, known := e.byName[f.Name]
	if !known {
		return -1
	}
	if f.ID >= 0 {
		for int(f.ID) >= len(e.byID) {
			e.byID = append(e.byID, namedColumn{})
		}
		e.byID[f.ID] = namedColumn{f.Name, column}
	}
	return column
}

// takeColumns makes new columns, by name, as far as there is room, and says whether it made any.
func (e *encoder) takeColumns(names []string) bool {
	slices.Sort(names)
	made := false
	for _, name := range slices.Compact(names) {
		if len(e.columns) >= e.config.Vocabulary.Columns {
			e.ignored++
			continue
		}
		e.addColumn(column{name: strings.Clone(name), declared: e.config.Columns[name]})
		made = true
	}
	return made
}

func (e *encoder) addColumn(c column) {
	index := int32(len(e.columns))
	if c.declared.Type == Categorical {
		c.decided = true
	}
	for i := range e.crosses {
		if k := slices.Index(e.crosses[i].columns, c.name); k >= 0 {
			e.crosses[i].parts[k] = index
			c.crossed = true
		}
	}
	e.columns = append(e.columns, c)
	e.byName[c.name] = index
	e.scratch.tokens = append(e.scratch.tokens, 0)
	e.scratch.stamps = append(e.scratch.stamps, 0)
}

func (e *encoder) encodeField(row *Row, c *column, index int32, f *record.Field, grow bool) {
	if f.Missing {
		if c.missing == 0 && grow {
			c.missing = e.take()
		}
		if c.missing != 0 {
			row.add(c.missing, 1)
		}
		e.token(c, index, 1)
		return
	}
	key := levelKey(uint64(index), f.Hash)
	known := &e.scratch.memory[key%memorySize]
	if known.key == key && known.count > 0 && !(known.waits && grow && (e.words.overfull() || e.grants(index, key))) {
		if known.waits && grow {
			e.candidates.wait(index, key)
		}
		row.addOnes(&known.weights, int(known.count))
		e.token(c, index, known.token)
		return
	}
	start := len(row.Index)
	token, standing := e.encodeText(row, c, index, key, f, grow)
	e.token(c, index, token)
	if n := len(row.Index) - start; standing != passing && n > 0 && n <= len(known.weights) {
		*known = remembered{key: key, token: token, count: int8(n), waits: standing == waiting}
		copy(known.weights[:], row.Index[start:])
	}
}

// standing is how long the non-zeros of a text, all of value 1, stay what they are.
type standing int

const (
	passing standing = iota // until the next record
	waiting                 // until a candidate has earned its weight
	settled                 // for good
)

// encodeText adds the non-zeros of a text. It returns what the text contributes to crosses.
func (e *encoder) encodeText(row *Row, c *column, index int32, key uint64, f *record.Field, grow bool) (token uint64, stay standing) {
	if c.numeric {
		if x, ok := readNumber(f.Text); ok {
			stay = settled
			bin, level := c.encode(row, x)
			if level {
				stay = e.encodeCandidate(row, index, key, f.Text, grow)
			}
			if c.encoding != Bins {
				stay = passing
			}
			return uint64(bin) + 2, stay
		}
	} else if !c.decided && grow {
		c.observe(f.Text)
		if c.observed() >= lateSample {
			e.size = c.decide(e.size)
		}
		e.encodeLevel(row, index, key, f.Text, grow)
		return f.Hash, passing
	}
	stay = e.encodeLevel(row, index, key, f.Text, grow)
	if !c.decided {
		stay = passing
	}
	return f.Hash, stay
}

// encodeCandidate adds the weight of a level that must earn it, and nothing while it has none.
func (e *encoder) encodeCandidate(row *Row, place int32, key uint64, text []byte, grow bool) standing {
	index := e.words.find(key)
	switch {
	case index == 0 && !grow:
		return passing
	case index == 0 && e.words.overfull():
		return settled
	case index == 0 && !e.grants(place, key):
		e.candidates.wait(place, key)
		return waiting
	case index == 0:
		index = e.takeLevel(place, key, text)
		e.candidates.forget(key)
	}
	row.add(index, 1)
	return settled
}

// grants says whether a candidate is to have a weight: because it has earned one, or others of its column have
// for all.
func (e *encoder) grants(place int32, key uint64) bool {
	return place >= 0 && e.columns[place].vouched || e.candidates.earned(key)
}

// encodeLevel adds the weight of a level, a new one if it is new and there is room, a shared one if there is
// none.
func (e *encoder) encodeLevel(row *Row, place int32, key uint64, text []byte, grow bool) standing {
	index := e.words.find(key)
	if index == 0 && grow {
		if !e.words.full() {
			index = e.takeLevel(place, key, text)
		} else if e.words.base == 0 {
			e.words.base = e.size
			e.size += e.words.buckets
		}
	}
	if index == 0 {
		index = e.words.bucket(key)
	}
	if index == 0 {
		return passing
	}
	row.add(index, 1)
	return settled
}

// takeLevel gives a level a weight.
func (e *encoder) takeLevel(place int32, key uint64, text []byte) int32 {
	index := e.take()
	e.words.add(level{column: place, index: index, key: key, text: shorten(text)})
	return index
}

// longestText is how many bytes of a level are kept for people.
const longestText = 64

// shorten keeps what is shown of a level. The whole of a long one is known by its key.
func shorten(text []byte) string {
	if len(text) <= longestText {
		return string(text)
	}
	end := longestText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end]) + "…"
}

// take returns the next free weight.
func (e *encoder) take() int32 {
	e.size++
	return e.size - 1
}
