package features

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/pkg/record"
)

// Frozen is an encoder that only reads: columns and levels that it does not know contribute nothing to a row. It belongs
// to one goroutine, because it keeps scratch.
type Frozen struct {
	columns []Column
	crosses []cross
	words   vocabulary
	size    int32

	scratch
}

// scratch holds nothing that a row depends on.
type scratch struct {
	layout layout
	memory memory
	tokens tokens
	hashes []uint64
	unread []int32 // columns of the present record
}

// Parts is an encoder as plain data, such as a document holds.
type Parts struct {
	Columns []Column
	Crosses [][]string // the names of the columns of each
	Levels  []Level
	// Shared is the first of the weights, Buckets many, that values without a weight of their own share by hash. It is
	// 0 if there are none.
	Shared, Buckets int32
	// Size is the number of weights, the intercept included.
	Size int32
}

// NewFrozen returns the encoder that has these parts, which it keeps. The error says which part is wrong: a column or
// level that comes twice, a weight that does not exist, edges that do not ascend.
func NewFrozen(p Parts) (*Frozen, error) {
	f := &Frozen{}
	return f, f.assemble(p)
}

// Fork returns an encoder like f for another goroutine, in little time and memory: they share columns and levels. f must not be part of a
// Learning, which would change them.
func (f *Frozen) Fork() *Frozen {
	other := &Frozen{columns: f.columns, crosses: f.crosses, words: f.words, size: f.size}
	for i := range f.columns {
		other.layout.name(f.columns[i].Name, int32(i))
		other.tokens.addColumn()
	}
	return other
}

func (f *Frozen) assemble(p Parts) error {
	f.size = p.Size
	for _, names := range p.Crosses {
		f.crosses = append(f.crosses, newCross(names))
	}
	for _, c := range p.Columns {
		if err := c.check(f.size); err != nil {
			return err
		}
		if _, twice := f.layout.byName[c.Name]; twice {
			return fmt.Errorf("column %q comes twice", c.Name)
		}
		f.addColumn(c)
	}
	for _, l := range p.Levels {
		if err := f.words.check(l, len(f.columns), len(f.crosses), f.size); err != nil {
			return err
		}
		f.words.add(l)
		if index, ok := l.Slot.Column(); ok && f.columns[index].Linear == l.Weight {
			f.columns[index].fromLevel = true
		}
	}
	if p.Shared < 0 || p.Shared > 0 && (p.Buckets <= 0 || int64(p.Shared)+int64(p.Buckets) > int64(f.size)) {
		return errors.New("the shared weights do not exist")
	}
	f.words.shared, f.words.buckets = p.Shared, p.Buckets
	return nil
}

// Parts returns the encoder as plain data, which shares memory with it.
func (f *Frozen) Parts() Parts {
	p := Parts{Columns: f.columns, Levels: f.words.levels, Shared: f.words.shared, Buckets: f.words.buckets, Size: f.size}
	for i := range f.crosses {
		p.Crosses = append(p.Crosses, f.crosses[i].names)
	}
	return p
}

// Size is the number of weights. Every index of a row is below it.
func (f *Frozen) Size() int32 { return f.size }

// Has says whether a field has a column.
func (f *Frozen) Has(field string) bool {
	return slices.ContainsFunc(f.columns, func(c Column) bool { return c.Name == field })
}

func (f *Frozen) addColumn(c Column) {
	index := int32(len(f.columns))
	c.crossed = false
	for i := range f.crosses {
		if f.crosses[i].join(c.Name, index) {
			c.crossed = true
		}
	}
	f.columns = append(f.columns, c)
	f.layout.name(c.Name, index)
	f.tokens.addColumn()
}

// Encode replaces row by the non-zeros of a record: the intercept, then those of each column in its order, then those of
// each cross. It does not allocate once its buffers have grown.
func (f *Frozen) Encode(row *Row, r *record.Record) {
	f.layout.arrange(r.Features, r.Layout)
	f.begin(row)
	f.unread = f.layout.parents(f.unread[:0])
	hashes, order := f.hashesOf(r), f.layout.order
	to := filling{row: row}
	for i, o := range order {
		hash := hashes[o.field]
		if known := f.memory.at(o.column, hash); known != nil && known.hash == hash && known.whole == o.column+1 {
			if !to.open {
				to.fill(len(order) - i)
			}
			to.add(known)
			continue
		}
		to.end()
		f.encodeField(row, o.column, &r.Features[o.field], hash)
	}
	to.end()
	for i := range f.crosses {
		if key, complete := f.tokens.key(CrossSlot(i), &f.crosses[i]); complete {
			f.addLevel(row, key)
		}
	}
}

// VisitCells visits each column that a record has a value in, with the cell of the value: by the hash of its text or, of a number, of its
// magnitude, in steps of a quarter of a power of two. A number that grows slowly, such as a time, so stays in one cell for long.
func (f *Frozen) VisitCells(r *record.Record, visit func(column, cell int)) {
	f.layout.arrange(r.Features, r.Layout)
	hashes := f.hashesOf(r)
	for _, o := range f.layout.order {
		field, hash := &r.Features[o.field], hashes[o.field]
		cell := cellOf(hash)
		if f.columns[o.column].Numeric() && !missing(field, hash) {
			if known := f.memory.at(o.column, hash); known.holds(o.column, hash) {
				cell = known.cell
			} else if x, ok := readNumber(field.Text); ok {
				cell = cellOf(magnitude(x))
			}
		}
		visit(int(o.column), int(cell))
	}
}

// Unread returns the columns in which the record that Encode was given last has a value of another type than was learnt, so that it
// contributed nothing of its own: in a column of numbers a text that has no weight, or an array or an object. They are valid until the next
// record.
func (f *Frozen) Unread() []int32 { return f.unread }

// hashesOf are the hashes of a record's features.
func (f *scratch) hashesOf(r *record.Record) []uint64 {
	if hashes := r.Hashes(); hashes != nil {
		return hashes
	}
	f.hashes = f.hashes[:0]
	for i := range r.Features {
		f.hashes = append(f.hashes, r.Features[i].Hash)
	}
	return f.hashes
}

// missing says whether a field is missing. Only where hash, its hash, is 0 is the field itself read.
func missing(field *record.Field, hash uint64) bool { return hash == 0 && field.Missing }

// begin starts a row.
func (f *Frozen) begin(row *Row) {
	row.Empty()
	row.Add(Intercept, 1)
	f.tokens.record++
}

// keep remembers a text of a column, whose non-zeros are those of a row from start on.
func (f *Frozen) keep(known *remembered, column int32, hash uint64, t *text, row *Row, start int, waits bool) {
	known.keep(column, &f.columns[column], hash, t, row, start, waits)
	f.memory.missed(column, f.tokens.record)
}

func (f *Frozen) encodeField(row *Row, index int32, field *record.Field, hash uint64) {
	c := &f.columns[index]
	if missing(field, hash) {
		f.encodeMissing(row, c, index)
		return
	}
	known := f.memory.at(index, hash)
	if known.holds(index, hash) {
		f.repeat(row, c, known)
		return
	}
	start, key := len(row.Index), ColumnSlot(int(index)).Key(hash)
	t := f.encodeText(row, c, index, key, field)
	settled := t.lacks != aCategory // which a Learning gives a weight at once
	if t.lacks == aCategory {
		if shared := f.words.bucket(key); shared != 0 {
			row.Add(shared, 1)
			settled = !c.Numeric() // else it is unread each time
		}
		if c.Numeric() {
			f.unread = append(f.unread, index)
		}
	}
	if t.lasts && settled && known != nil {
		f.keep(known, index, hash, &t, row, start, t.lacks == aCandidate)
	}
}

func (f *Frozen) encodeMissing(row *Row, c *Column, index int32) {
	if c.Missing != 0 {
		row.Add(c.Missing, 1)
	}
	f.contribute(c, index, missingToken)
}

// repeat adds the non-zeros of a text that is remembered.
func (f *Frozen) repeat(row *Row, c *Column, known *remembered) {
	to := filling{row: row}
	to.fill(1)
	to.add(known)
	to.end()
	f.contribute(c, known.column, known.token)
}

// encodeText adds the non-zeros of a text, as far as its level has a weight of its own.
func (f *Frozen) encodeText(row *Row, c *Column, index int32, key uint64, field *record.Field) text {
	t := text{token: field.Hash, lasts: c.Kind != Untyped}
	level, otherwise := true, aCategory
	if c.Numeric() {
		if x, ok := readNumber(field.Text); ok {
			e := c.encode(row, x)
			level, otherwise = e.level && !(c.fromLevel && f.words.find(key) == c.Linear), aCandidate
			t.token, t.lasts, t.bin, t.x, t.z = uint64(e.token)+firstBinToken, c.Kind == Binned && !c.sampling(), e.bin, x, e.z
			t.numeric = t.lasts
		}
	}
	if level && !f.addLevel(row, key) {
		t.lacks = otherwise
	}
	f.contribute(c, index, t.token)
	return t
}

// addLevel adds the weight of a level if it has one of its own, and says whether it has.
func (f *Frozen) addLevel(row *Row, key uint64) bool {
	weight := f.words.find(key)
	if weight != 0 {
		row.Add(weight, 1)
	}
	return weight != 0
}

// contribute notes what a column of the present record contributes to crosses.
func (f *Frozen) contribute(c *Column, index int32, token uint64) {
	if c.crossed {
		f.tokens.set(index, token)
	}
}

// MissingWords stand for a missing value in the texts of levels.
const MissingWords = "(missing)"

// crossText names a combination for people: the values of categorical columns, the coarse bins of
// numeric ones.
func (f *Frozen) crossText(i int, fields []record.Field) []byte {
	var text []byte
	for k, part := range f.crosses[i].parts {
		if k > 0 {
			text = append(text, " & "...)
		}
		c, token := &f.columns[part], f.tokens.values[part]
		for _, o := range f.layout.order {
			if o.column != part {
				continue
			}
			field := &fields[o.field]
			_, number := readNumber(field.Text)
			switch {
			case field.Missing:
				text = append(text, MissingWords...)
			case c.Numeric() && number:
				text = append(text, c.words(int32(token-firstBinToken))...)
			default:
				text = append(text, field.Text...)
			}
		}
	}
	return text
}
