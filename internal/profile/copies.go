package profile

import (
	"math"

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
	records, copies int
	seen            map[uint64]struct{}
	columns         []variety
	byName          map[string]int
}

// variety is how many values one column has in how many different records.
type variety struct {
	name   string
	values map[uint64]struct{}
	told   int
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
		whole += record.Mix(record.Hash([]byte(field.Name)), field.Hash)
	}
	if _, repeated = c.seen[whole]; repeated {
		c.copies++
		return true
	}
	if len(c.seen) >= mostRemembered {
		return false
	}
	if c.seen == nil {
		c.seen, c.byName = map[uint64]struct{}{}, map[string]int{}
	}
	c.seen[whole] = struct{}{}
	if len(c.seen) <= differentTold {
		c.tell(rec)
	}
	return false
}

func (c *Copies) tell(rec *record.Record) {
	for i := range rec.Features {
		field := &rec.Features[i]
		at, known := c.byName[field.Name]
		if !known {
			if at = len(c.columns); at == columnsTold {
				continue
			}
			c.byName[field.Name] = at
			c.columns = append(c.columns, variety{name: field.Name, values: map[uint64]struct{}{}})
		}
		if !field.Missing {
			c.columns[at].told++
			c.columns[at].values[field.Hash] = struct{}{}
		}
	}
}

// Found returns how many records are copies, and the column that shows it; 0 if there are none, few, or if the records may agree
// by chance.
func (c *Copies) Found() (copies int, column string) {
	if c.copies < leastCopies || float64(c.copies) < copiesShare*float64(c.records) {
		return 0, ""
	}
	for i := range c.columns {
		if v := &c.columns[i]; v.told >= leastDifferent && float64(len(v.values)) >= ownValue*float64(v.told) {
			return c.copies, v.name
		}
	}
	return 0, ""
}
