package table_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/pkg/record"
)

// A table has so many rows and columns at most.
const rows, columns = 4096, 64

// TestRows: a table keeps the first records, or an even selection of all, whatever period they have; columns that come late lack what was before.
func TestRows(t *testing.T) {
	values := func(i int, _ *rand.Rand) map[string]string {
		row := map[string]string{"a": fmt.Sprint(i)}
		if i >= 10_000 {
			row["b"] = fmt.Sprint(i % 4)
		}
		return row
	}
	first, even := tabletest.Made(&table.Table{First: true}, 40_000, values), tabletest.Made(new(table.Table), 40_000, values)
	if first.Rows() != rows || first.Column("a").Numbers[rows-1] != rows-1 || first.Column("b") != nil {
		t.Errorf("of the first records %d rows", first.Rows())
	}
	a, b := even.Column("a"), even.Column("b")
	if n := even.Rows(); n < rows/4 || n > rows || len(a.Hashes) != n || len(b.Numbers) != n || !slices.IsSorted(a.Numbers) {
		t.Fatalf("%d rows, %d and %d values", n, len(a.Hashes), len(b.Numbers))
	}
	if mean := sum(a.Numbers) / float64(even.Rows()); math.Abs(mean-20_000) > 1000 {
		t.Errorf("the mean record is %v", mean)
	}
	for k, n := range counts(b) {
		if share := float64(n) / float64(b.Values()); math.Abs(share-.25) > .05 {
			t.Errorf("residue %v in %v of the rows", k, share)
		}
	}
	if share := float64(b.Values()) / float64(even.Rows()); math.Abs(share-.75) > .05 {
		t.Errorf("%v of the rows have the late column", share)
	}
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func counts(c *table.Column) map[float64]int {
	n := map[float64]int{}
	for _, x := range c.Numbers {
		if !math.IsNaN(x) {
			n[x]++
		}
	}
	return n
}

// TestColumnsAreBounded: of columns beyond the first ones nothing is kept, and a field that comes twice counts once.
func TestColumnsAreBounded(t *testing.T) {
	var table table.Table
	var fields []record.Field
	for i := range columns + 3 {
		fields = append(fields, record.Field{Name: fmt.Sprint(i), Text: []byte("1"), Hash: 1})
	}
	table.Add(append(fields, fields[0]), true, true, false)
	if len(table.Columns) != columns || len(table.Columns[0].Hashes) != 1 {
		t.Errorf("%d columns, %d values", len(table.Columns), len(table.Columns[0].Hashes))
	}
}

// TestNumbers: what is read as a number, and as a time.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"12": 12, "-1.5": -1.5, "1e3": 1000, "": math.NaN(), "x": math.NaN(), "NaN": math.NaN(), "1970-01-02": 86400, "02.01.1970": 86400,
		"01/02/1970": math.NaN(), "9999-12-31": math.NaN()} {
		var table table.Table
		table.Add([]record.Field{{Name: "a", Text: []byte(text), Hash: 1}}, false, false, false)
		if got := table.Columns[0].Numbers[0]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}
