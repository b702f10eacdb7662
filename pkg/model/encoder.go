package model

import (
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

	byName map[string]int32
	// byID finds the column of a record.Names id. It is a cache: ids differ from run to run, so the name is
	// compared too, which is quick while it is the very string that was seen before.
	byID    []namedColumn
	crosses []cross
	scratch encoderScratch
}

// cross is a combination of columns that has levels of its own.
type cross struct{ parts []int32 } // columns; -1 while a column has not been seen

type namedColumn struct {
	name   string
	column int32
}

// remembered is what a text of a column was encoded to.
type remembered struct {
	key     uint64
	token   uint64
	weights [3]int32
	count   int8 // 0 in an empty entry
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
	return &encoder{config: config, words: newVocabulary(config.Vocabulary), size: intercept + 1,
		byName: map[string]int32{}, crosses: make([]cross, len(config.Crosses))}
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
	for _, p := range e.scratch.order {
		e.encodeField(row, &e.columns[p.column], p.column, &features[p.field], grow)
	}
	for i := range e.crosses {
		e.encodeCross(row, i, features, grow)
	}
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
	for i, names := range e.config.Crosses {
		if e.crosses[i].parts == nil {
			e.crosses[i].parts = slices.Repeat([]int32{-1}, len(names))
		}
		if k := slices.Index(names, c.name); k >= 0 {
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
	if known.key == key && known.count > 0 {
		for _, weight := range known.weights[:known.count] {
			row.add(weight, 1)
		}
		e.token(c, index, known.token)
		return
	}
	start := len(row.Index)
	token, settled := e.encodeText(row, c, index, key, f, grow)
	e.token(c, index, token)
	if n := len(row.Index) - start; settled && n > 0 && n <= len(known.weights) {
		*known = remembered{key: key, token: token, count: int8(n)}
		copy(known.weights[:], row.Index[start:])
	}
}

// encodeText adds the non-zeros of a text. It returns what the text contributes to crosses, and whether the
// same text will always give the same non-zeros, all of value 1.
func (e *encoder) encodeText(row *Row, c *column, index int32, key uint64, f *record.Field, grow bool) (token uint64, settled bool) {
	if c.numeric {
		if x, ok := readNumber(f.Text); ok {
			bin, level := c.encode(row, x)
			if level {
				settled = e.encodeLevel(row, index, key, f, grow)
			}
			return uint64(bin) + 2, c.encoding == Bins && (settled || !level)
		}
	} else if !c.decided && grow {
		c.observe(f.Text)
		if c.observed() >= lateSample {
			e.size = c.decide(e.size)
		}
		e.encodeLevel(row, index, key, f, grow)
		return f.Hash, false
	}
	return f.Hash, e.encodeLevel(row, index, key, f, grow) && c.decided
}

// encodeLevel adds the weight of a level, a new one if it is new and there is room. It says whether the level
// has a weight, which then is its own for good.
func (e *encoder) encodeLevel(row *Row, column int32, key uint64, f *record.Field, grow bool) bool {
	index := e.words.find(key)
	if index == 0 && grow {
		if !e.words.full() {
			index = e.take()
			e.words.add(level{column: column, index: index, key: key, text: shorten(f.Text)})
		} else if e.words.base == 0 {
			e.words.base = e.size
			e.size += e.words.buckets
		}
	}
	if index == 0 {
		index = e.words.bucket(key)
	}
	if index != 0 {
		row.add(index, 1)
	}
	return index != 0
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

// token notes what a column contributes to the crosses of the present record.
func (e *encoder) token(c *column, index int32, token uint64) {
	if c.crossed {
		e.scratch.tokens[index] = token
		e.scratch.stamps[index] = e.scratch.record
	}
}

// crossPlace keeps the keys of crosses apart from those of columns.
const crossPlace = 1 << 32

// encodeCross adds the weight of a combination, if the record has all of its columns.
func (e *encoder) encodeCross(row *Row, i int, features []record.Field, grow bool) {
	key := uint64(0)
	for _, part := range e.crosses[i].parts {
		if part < 0 || e.scratch.stamps[part] != e.scratch.record {
			return
		}
		key = levelKey(crossPlace+uint64(i), key^e.scratch.tokens[part])
	}
	if len(e.crosses[i].parts) == 0 {
		return
	}
	index := e.words.find(key)
	f := record.Field{}
	if index == 0 && grow && !e.words.full() {
		f.Text = e.crossText(i, features)
	}
	e.encodeLevel(row, int32(-1-i), key, &f, grow)
}

// crossText names a combination for people: the values of categorical columns, the coarse bins of
// numeric ones.
func (e *encoder) crossText(i int, features []record.Field) []byte {
	var text []byte
	for k, part := range e.crosses[i].parts {
		if k > 0 {
			text = append(text, " & "...)
		}
		c, token := &e.columns[part], e.scratch.tokens[part]
		for _, p := range e.scratch.order {
			if p.column != part {
				continue
			}
			f := &features[p.field]
			_, number := readNumber(f.Text)
			switch {
			case f.Missing:
				text = append(text, missingWords...)
			case c.numeric && number:
				text = append(text, c.words(int32(token-2))...)
			default:
				text = append(text, f.Text...)
			}
		}
	}
	return text
}
