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

	index   map[string]int
	columns []column
	rows    []row
	records int
	least   int // the rank of the records that are kept

	codings    []coding // as of codedAt records
	codedAt    int
	labelled   map[string]labelled // levels by label, as of labelledAt records
	labelledAt int
}

type column struct {
	name    string
	numbers []float64 // of dates the seconds since 1970, NaN of other texts
	hashes  []uint64  // 0 where there is no value
}

// row is what a record is beside its fields.
type row struct {
	labelled, positive, repeated bool

	rank int
}

// rank is k or more for one in 2^k records, in no pattern that records may have, too.
func rank(number int) int { return bits.TrailingZeros64(record.Mix(^uint64(0), uint64(number))) }

// Passes says whether the next record will not be kept, and counts it then: Add need not be called.
func (t *Table) Passes() bool {
	if of := rank(t.records + 1); of >= t.least && !(t.First && len(t.rows) == mostRows) {
		return false
	}
	t.records++
	return true
}

// Add takes in a record: all its fields as features, whether it has a label and whether that is positive, and whether it is a copy of an earlier one.
func (t *Table) Add(fields []record.Field, labelled, positive, repeated bool) {
	t.records++
	of := rank(t.records)
	if of < t.least || t.First && len(t.rows) == mostRows {
		return
	}
	for len(t.rows) == mostRows {
		t.thin()
	}
	if of < t.least {
		return
	}
	for f := range fields {
		field := &fields[f]
		c := t.column(field.Name)
		if c == nil || field.Missing || len(c.hashes) > len(t.rows) {
			continue
		}
		c.fill(len(t.rows))
		c.hashes = append(c.hashes, field.Hash)
		c.numbers = append(c.numbers, numberOrTime(field.Text))
	}
	t.rows = append(t.rows, row{labelled, positive, repeated, of})
	for c := range t.columns {
		t.columns[c].fill(len(t.rows))
	}
}

// thin leaves out about every other row, and from now on as many of the records to come.
func (t *Table) thin() {
	t.least++
	kept := 0
	for r := range t.rows {
		if t.rows[r].rank < t.least {
			continue
		}
		t.rows[kept] = t.rows[r]
		for c := range t.columns {
			of := &t.columns[c]
			of.hashes[kept], of.numbers[kept] = of.hashes[r], of.numbers[r]
		}
		kept++
	}
	t.rows = t.rows[:kept]
	for c := range t.columns {
		of := &t.columns[c]
		of.hashes, of.numbers = of.hashes[:kept], of.numbers[:kept]
	}
}

func (t *Table) column(name string) *column {
	if at, known := t.index[name]; known {
		return &t.columns[at]
	}
	if len(t.columns) == mostColumns {
		return nil
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[name] = len(t.columns)
	t.columns = append(t.columns, column{name: name})
	return &t.columns[len(t.columns)-1]
}

// of is a column by its name, or nil.
func (t *Table) of(name string) *column {
	if at, known := t.index[name]; known {
		return &t.columns[at]
	}
	return nil
}

// fill has no values up to a row.
func (c *column) fill(rows int) {
	for len(c.hashes) < rows {
		c.hashes, c.numbers = append(c.hashes, 0), append(c.numbers, math.NaN())
	}
}

// values is how many rows have one.
func (c *column) values() (n int) {
	for _, hash := range c.hashes {
		if hash != 0 {
			n++
		}
	}
	return n
}

// Rows is how many records the table holds.
func (t *Table) Rows() int { return len(t.rows) }

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
