package table

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// mostRows and mostColumns bound a table; of further columns nothing is kept.
	mostRows    = 4096
	mostColumns = 64
)

// Table holds rows of records. The zero value keeps an even selection of all records, and one with First the first ones.
type Table struct {
	// First says that the first records are kept, and none after them.
	First bool

	Columns []Column
	Kept    []Row // the rows
	Records int   // that came, whether they are kept or not

	index map[string]int
	least int // the rank of the records that are kept

	codings    []Coding // as of codedAt records
	codedAt    int
	labelled   map[string]labelled // levels by label, as of labelledAt records
	labelledAt int
}

// Row is what a record is beside its fields.
type Row struct {
	Labelled, Positive, Repeated bool

	rank int
}

// rank is k or more for one in 2^k records, in no pattern that records may have, too.
func rank(number int) int { return bits.TrailingZeros64(record.Mix(^uint64(0), uint64(number))) }

// Passes says whether the next record will not be kept, and counts it then: Add need not be called.
func (t *Table) Passes() bool {
	if of := rank(t.Records + 1); of >= t.least && !(t.First && len(t.Kept) == mostRows) {
		return false
	}
	t.Records++
	return true
}

// Add takes in a record: all its fields as features, whether it has a label and whether that is positive, and whether it is a copy of an earlier one.
func (t *Table) Add(fields []record.Field, labelled, positive, repeated bool) {
	t.Records++
	of := rank(t.Records)
	if of < t.least || t.First && len(t.Kept) == mostRows {
		return
	}
	for len(t.Kept) == mostRows {
		t.thin()
	}
	if of < t.least {
		return
	}
	for f := range fields {
		field := &fields[f]
		c := t.open(field.Name)
		if c == nil || field.Missing || len(c.Hashes) > len(t.Kept) {
			continue
		}
		c.Fill(len(t.Kept))
		c.Hashes = append(c.Hashes, field.Hash)
		c.Numbers = append(c.Numbers, numberOrTime(field.Text))
	}
	t.Kept = append(t.Kept, Row{labelled, positive, repeated, of})
	for c := range t.Columns {
		t.Columns[c].Fill(len(t.Kept))
	}
}

// thin leaves out about every other row, and from now on as many of the records to come.
func (t *Table) thin() {
	t.least++
	kept := 0
	for r := range t.Kept {
		if t.Kept[r].rank < t.least {
			continue
		}
		t.Kept[kept] = t.Kept[r]
		for c := range t.Columns {
			of := &t.Columns[c]
			of.Hashes[kept], of.Numbers[kept] = of.Hashes[r], of.Numbers[r]
		}
		kept++
	}
	t.Kept = t.Kept[:kept]
	for c := range t.Columns {
		of := &t.Columns[c]
		of.Hashes, of.Numbers = of.Hashes[:kept], of.Numbers[:kept]
	}
}

func (t *Table) open(name string) *Column {
	if at, known := t.index[name]; known {
		return &t.Columns[at]
	}
	if len(t.Columns) == mostColumns {
		return nil
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[name] = len(t.Columns)
	t.Columns = append(t.Columns, Column{Name: name})
	return &t.Columns[len(t.Columns)-1]
}

// Column is a column by its name, or nil.
func (t *Table) Column(name string) *Column {
	for c := range t.Columns {
		if t.Columns[c].Name == name {
			return &t.Columns[c]
		}
	}
	return nil
}

// Thinned says whether rows are missing between others.
func (t *Table) Thinned() bool { return t.least > 0 }

// Rows is how many records the table holds.
func (t *Table) Rows() int { return len(t.Kept) }

// Number is the number that a text is, or NaN.
func Number(text []byte) float64 {
	if len(text) == 0 || len(text) > 32 || text[0] > '9' {
		return math.NaN()
	}
	if x, ok := record.ShortDecimal(text); ok {
		return x
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func numberOrTime(text []byte) float64 {
	if x := Number(text); !math.IsNaN(x) {
		return x
	}
	if at, ok := profile.ParseTime(text); ok {
		return float64(at.Unix())
	}
	return math.NaN()
}
