package profile

import (
	"math"

	"github.com/fairstream/fairstream/internal/distinct"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// mostRemembered bounds the different records that are remembered.
	mostRemembered = 1 << 18
	// Of the first differentTold different records the values of the first columnsTold columns are told apart.
	differentTold = 1024
	columnsTold   = 256
	// A column shows that equal records are copies if, of at least leastDifferent different records, ownValue have a value of
	// their own in it. Fewer than leastCopies copies, or a smaller share than copiesShare, are not worth telling.
	leastDifferent = 200
	ownValue       = .9
	leastCopies    = 20
	copiesShare    = .01
)

// Copies finds records that are the same as an earlier one in every field. Records of a few columns with a few values agree by
// chance, so records count as copies only if a column has a value of its own in nearly every different record: see Found. The
// zero value is empty and ready.
type Copies struct {
	records int // since Close, if it was called
	closed  int // records before Close; 0 without
	seen    map[uint64]struct{}
	columns []*variety
	byName  distinct.Names[variety]
}

// variety is how many values one column has in how many different records, and how many copies have no value in it that several
// of these have: customers without a balance are alike, and still others.
type variety struct {
	name   string
	hash   uint64 // of the name
	values distinct.Counts
	told   int
	copies int
	pairs  int // values that exactly two of the different records have
}

// Add takes in one record, and says whether it is the same as an earlier one in its features, its attributes and its label.
func (c *Copies) Add(rec *record.Record) (repeated bool) {
	c.records++
	whole := math.Float64bits(rec.Label)
	if rec.Positive {
		whole++
	}
	for i, value := range rec.Attributes {
		whole += record.Mix(^uint64(i), record.Hash(value.Text))
	}
	for i := range rec.Features { // in any order
		field := &rec.Features[i]
		name := uint64(0)
		if v := c.byName.At(i, field.Name); v != nil {
			name = v.hash
		} else {
			name = record.Hash([]byte(field.Name))
		}
		whole += record.Mix(name, field.Hash)
	}
	if _, repeated = c.seen[whole]; repeated {
		c.repeat(rec)
		return true
	}
	if len(c.seen) >= mostRemembered || c.closed > 0 {
		return false
	}
	if c.seen == nil {
		c.seen = map[uint64]struct{}{}
	}
	c.seen[whole] = struct{}{}
	if len(c.seen) <= differentTold {
		c.tell(rec)
	}
	return false
}

// Close makes Found count only what comes from now on and is the same as a record before, such as records held out that were learnt.
func (c *Copies) Close() {
	c.records, c.closed = 0, c.records
	for i := range c.columns {
		c.columns[i].copies = 0
	}
}

func (c *Copies) tell(rec *record.Record) {
	for i := range rec.Features {
		field := &rec.Features[i]
		v := c.byName.At(i, field.Name)
		if v == nil {
			if len(c.columns) == columnsTold {
				continue
			}
			v = &variety{name: field.Name, hash: record.Hash([]byte(field.Name))}
			c.byName.Make(field.Name, v)
			c.columns = append(c.columns, v)
		}
		if field.Missing {
			continue
		}
		v.told++
		n := v.values.Find(field.Hash)
		if n == nil {
			v.values.Make(field.Hash, 1)
			continue
		}
		switch *n++; *n {
		case 2:
			v.pairs++
		case 3:
			v.pairs--
		}
	}
}

// repeat counts a copy for the columns in which its value is not that of several records.
func (c *Copies) repeat(rec *record.Record) {
	for i := range rec.Features {
		field := &rec.Features[i]
		if v := c.byName.At(i, field.Name); v != nil && !field.Missing {
			if n, _ := v.values.Of(field.Hash); n <= 1 {
				v.copies++
			}
		}
	}
}

// byChance is how many records may be equal by chance: twice as many as there would be pairs of different records with the same value of the
// column. That is enough where different records agree in all other columns in up to two of three cases.
func (v *variety) byChance(c *Copies) float64 {
	more := float64(c.records) / float64(v.told)
	if c.closed > 0 { // of a pair, either may be the earlier one
		return 4 * float64(v.pairs) * more * float64(c.closed) / float64(v.told)
	}
	return 2 * float64(v.pairs) * more * more
}

// Found returns how many records are copies, and the column that shows it; 0 if there are none, few, or if the records may agree
// by chance.
func (c *Copies) Found() (copies int, column string) {
	for i := range c.columns {
		v := c.columns[i]
		if v.told >= leastDifferent && float64(v.values.Len()) >= ownValue*float64(v.told) && v.copies >= leastCopies &&
			float64(v.copies) >= copiesShare*float64(c.records) && float64(v.copies) > v.byChance(c) {
			return v.copies, v.name
		}
	}
	return 0, ""
}
