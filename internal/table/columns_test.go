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

// TestApartIsTheLargestDifference of two distribution functions, counted one by one; numbers within a thousandth are the same.
func TestApartIsTheLargestDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 6))
	for range 200 {
		draw := func() (x []float64) {
			for range 1 + random.IntN(20) {
				x = append(x, float64(1+random.IntN(30)))
			}
			slices.Sort(x)
			return x
		}
		a, b, factor := draw(), draw(), []float64{1, 2, 0.5}[random.IntN(3)]
		want := 0.
		for x := 0.25; x < 70; x += 0.5 {
			below := func(of []float64, factor float64) float64 {
				n := 0
				for _, v := range of {
					if v*factor <= x {
						n++
					}
				}
				return float64(n) / float64(len(of))
			}
			want = max(want, math.Abs(below(a, 1)-below(b, factor)))
		}
		if got := table.Apart(a, b, factor); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v and %v times %v: %v, want %v", a, b, factor, got, want)
		}
	}
	if got := table.Apart([]float64{1000, 2000}, []float64{1000.9, 1999}, 1); got != 0 {
		t.Errorf("within a thousandth: %v", got)
	}
	if got := table.Apart([]float64{1000}, []float64{1001.1}, 1); got != 1 {
		t.Errorf("not within a thousandth: %v", got)
	}
	if got := table.Distinct([]float64{1, 1, 2, 3, 3, 3}); got != 3 {
		t.Errorf("%d distinct numbers", got)
	}
	for _, c := range []struct {
		n, m int
		want float64
	}{{100, 100, 1.63 * math.Sqrt(0.02)}, {50, 200, 1.63 * math.Sqrt(0.025)}, {10_000, 10_000, 0.12}} {
		if got := table.Deviations(c.n, c.m); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d and %d: %v, want %v", c.n, c.m, got, c.want)
		}
	}
}

// TestColumn: numbers, texts and cells without a value are told apart.
func TestColumn(t *testing.T) {
	made := tabletest.Cells(map[string][]float64{"mixed": {3, -1, 0, 1, -1, 2}, "texts": {-2, -2, 0, -3, -2, 0}, "same": {-2, -2, -2, -2, -2, -2}})
	mixed, texts, same := made.Column("mixed"), made.Column("texts"), made.Column("same")
	if mixed.Values() != 5 || mixed.IsText() || !mixed.Varies() || !slices.Equal(mixed.Sorted(), []float64{1, 2, 3}) || len(mixed.Texts()) != 1 || mixed.Texts()[1] != 2 || len(mixed.Counts()) != 4 {
		t.Errorf("%d values, sorted %v, texts %v, counts %v", mixed.Values(), mixed.Sorted(), mixed.Texts(), mixed.Counts())
	}
	if texts.Values() != 4 || !texts.IsText() || !texts.Varies() || len(texts.Sorted()) != 0 || texts.Counts()[2] != 3 || same.Varies() {
		t.Errorf("%d values, counts %v, %v", texts.Values(), texts.Counts(), same.Varies())
	}
	if part := mixed.Part(1, 4); part.Name != "mixed" || part.Values() != 2 || len(part.Hashes) != 3 {
		t.Errorf("%+v", part)
	}
	if made.Column("none") != nil || made.Rows() != 6 {
		t.Errorf("%d rows", made.Rows())
	}
	for n, want := range map[int]int{table.MostTexts: table.MostTexts, table.MostTexts + 1: table.MostTexts + 1, table.MostTexts + 9: table.MostTexts + 1} {
		var cells []float64
		for i := range n {
			cells = append(cells, -float64(1+i))
		}
		if got := len(tabletest.Cells(map[string][]float64{"x": cells}).Column("x").Texts()); got != want {
			t.Errorf("%d texts are counted as %d", n, got)
		}
	}
}

// TestCodings: columns of two to twenty texts have codes in the order of their first rows, and others none.
func TestCodings(t *testing.T) {
	texts := func(n int) (cells []float64) {
		for i := range 60 {
			cells = append(cells, -float64(1+i%n))
		}
		return cells
	}
	missing := slices.Clone(texts(3))
	missing[0], missing[4] = 0, 0
	number := slices.Clone(texts(3))
	number[7] = 5
	made := tabletest.Cells(map[string][]float64{"one": texts(1), "two": texts(2), "twenty": texts(20), "more": texts(21), "missing": missing, "number": number})
	coded := made.Coded()
	for k, column := range made.Columns {
		levels := map[string]int{"two": 2, "twenty": 20, "missing": 3}[column.Name]
		if len(coded[k].Levels) != levels || (coded[k].Places != nil) != (levels > 0) {
			t.Errorf("%s has %d levels", column.Name, len(coded[k].Levels))
			continue
		}
		for r, place := range coded[k].Places {
			if want := column.Hashes[r]; place == 0 && want != 0 || place > 0 && coded[k].Levels[place-1] != want {
				t.Errorf("%s, row %d: place %d of %v, want that of %d", column.Name, r, place, coded[k].Levels, want)
			}
		}
	}
	if missing := coded[slices.IndexFunc(made.Columns, func(c table.Column) bool { return c.Name == "missing" })]; !slices.Equal(missing.Levels, []uint64{2, 3, 1}) {
		t.Errorf("levels %v, want them in the order in which they come", missing.Levels)
	}
	fifths := tabletest.Cells(map[string][]float64{"x": texts(2)[:7]}).Fifths()
	if !slices.Equal(fifths.Places, []uint8{1, 1, 2, 3, 3, 4, 5}) || len(fifths.Levels) != table.Fifth {
		t.Errorf("fifths %v", fifths.Places)
	}
}

// TestLevelsByLabel: rows without a label and copies do not count, rows without a value count among all, and a record that comes is counted in.
func TestLevelsByLabel(t *testing.T) {
	made := &table.Table{First: true}
	add := func(text string, labelled, positive, repeated bool) {
		made.Add([]record.Field{{Name: "x", Text: []byte(text), Hash: record.Hash([]byte(text)), Missing: text == ""}}, labelled, positive, repeated)
	}
	add("a", true, true, false)
	add("a", true, false, false)
	add("b", true, true, false)
	add("", true, true, false)
	add("a", false, true, false)
	add("b", true, true, true)
	check := func(rows, positive, all int) {
		t.Helper()
		levels, of := made.ByLabel(made.Column("x"))
		a := levels[record.Hash([]byte("a"))]
		if len(levels) != 2 || a.Rows != rows || a.Positive != positive || of.Rows != all || of.Positive != all-1 || !math.IsNaN(a.Number) {
			t.Errorf("levels %+v of %+v", levels, of)
		}
	}
	check(2, 1, 4)
	add("a", true, true, false)
	check(3, 2, 5)
	for n, want := range map[int]int{table.MostLevels: table.MostLevels, table.MostLevels + 1: 0} {
		many := &table.Table{First: true}
		for i := range n {
			text := []byte(fmt.Sprint("t", i))
			many.Add([]record.Field{{Name: "x", Text: text, Hash: record.Hash(text)}}, true, true, false)
		}
		if levels, all := many.ByLabel(many.Column("x")); len(levels) != want || all.Rows != n {
			t.Errorf("of %d levels %d are counted, %d rows", n, len(levels), all.Rows)
		}
	}
}

// TestVaries of columns of one row and of several.
func TestVaries(t *testing.T) {
	for _, test := range []struct {
		hashes []uint64
		want   bool
	}{{nil, false}, {[]uint64{7}, false}, {[]uint64{7, 7}, false}, {[]uint64{7, 7, 8}, true}, {[]uint64{0, 7}, true}} {
		if got := (&table.Column{Hashes: test.hashes}).Varies(); got != test.want {
			t.Errorf("%v: %v", test.hashes, got)
		}
	}
}
