package features

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestColumnsAtTheirBounds: what is read of a column may be as large as a number of it can be, and no larger.
func TestColumnsAtTheirBounds(t *testing.T) {
	binned := func(change func(c *Column)) Column {
		c := Column{Name: "x", Kind: Binned, Linear: 1, Scale: 1, High: 1, Binning: Binning{Edges: []float64{0}, Coarse: []int32{0, 1}, Single: []bool{false, false}}}
		change(&c)
		return c
	}
	beyond := math.Nextafter(largestNumber, math.Inf(1))
	for name, c := range map[string]struct {
		of   Column
		want string
	}{
		"plain":                     {binned(func(*Column) {}), ""},
		"the largest numbers":       {binned(func(c *Column) { c.Mean, c.Low, c.High = largestNumber, largestNumber, largestNumber }), ""},
		"the least numbers":         {binned(func(c *Column) { c.Mean, c.Low, c.High = -largestNumber, -largestNumber, -largestNumber }), ""},
		"the largest scale":         {binned(func(c *Column) { c.Scale, c.Low, c.High = math.MaxFloat64, 0, 0 }), ""},
		"a larger mean":             {binned(func(c *Column) { c.Mean, c.Low, c.High = beyond, largestNumber, largestNumber }), "out of range"},
		"a larger high":             {binned(func(c *Column) { c.Scale, c.High = 1e-150, beyond }), "out of range"},
		"a lower low":               {binned(func(c *Column) { c.Scale, c.Low = 1e-150, -beyond }), "out of range"},
		"an infinite scale":         {binned(func(c *Column) { c.Scale, c.Low, c.High = math.Inf(1), 0, 0 }), "out of range"},
		"no scale":                  {binned(func(c *Column) { c.Scale = 0 }), "out of range"},
		"high below low":            {binned(func(c *Column) { c.Low = 2 }), "out of range"},
		"high at low":               {binned(func(c *Column) { c.Low = 1 }), ""},
		"as far as can be":          {binned(func(c *Column) { c.Low, c.High = -largestStandardized, largestStandardized }), ""},
		"too far up":                {binned(func(c *Column) { c.High = 2 * largestStandardized }), "out of range"},
		"too far down":              {binned(func(c *Column) { c.Low = -2 * largestStandardized }), "out of range"},
		"all roots":                 {binned(func(c *Column) { c.SquareRoots = MostSquareRoots }), ""},
		"one root more":             {binned(func(c *Column) { c.SquareRoots = MostSquareRoots + 1 }), "out of range"},
		"less than no root":         {binned(func(c *Column) { c.SquareRoots = -1 }), "out of range"},
		"a root of what is below 0": {binned(func(c *Column) { c.SquareRoots, c.Low = 1, -1e-9 }), "out of range"},
		"scaled":                    {Column{Name: "x", Kind: Scaled, First: 1, Mean: -largestNumber, Scale: math.MaxFloat64}, ""},
		"scaled, a larger mean":     {Column{Name: "x", Kind: Scaled, First: 1, Mean: beyond, Scale: 1}, "out of range"},
		"the last weight":           {Column{Name: "x", Kind: Levelled, Missing: 1}, ""},
		"a weight behind":           {Column{Name: "x", Kind: Levelled, Missing: 2}, "does not exist"},
		"a weight before":           {Column{Name: "x", Kind: Levelled, Missing: -1}, "does not exist"},
		"linear behind":             {binned(func(c *Column) { c.Linear = 2 }), "weights do not exist"},
	} {
		if err := c.of.check(2); (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), `column "x": `)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestSamplesOfAState: numbers as large as a column may have are read, larger ones are not.
func TestSamplesOfAState(t *testing.T) {
	for x, want := range map[float64]bool{largestNumber: true, -largestNumber: true, math.Nextafter(largestNumber, math.Inf(1)): false, 0: true} {
		of := sample{numbers: []float64{1, x}}
		w := codec.NewWriter(nil)
		of.fields(w)
		r := codec.NewReader(w.Bytes())
		var read sample
		if read.fields(r); (r.End() == nil) != want {
			t.Errorf("a number of %v: %v", x, r.End())
		}
	}
}

// TestWordsOfBins: a bin is named by its numbers, a single one by itself, and what begins behind a single one by that.
func TestWordsOfBins(t *testing.T) {
	after := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
	b := Binning{Edges: []float64{5, after(5), 9, after(9), 20}} // below 5, 5, from there to 9, 9, to 20, from 20 on
	var got []string
	for bin := range len(b.Edges) + 1 {
		got = append(got, b.words(bin, bin))
	}
	if want := "[< 5 = 5 (5, 9) = 9 (9, 20) >= 20]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	for bin, want := range map[int]bool{1: true, 2: false, 3: true, 4: false, 5: false} {
		if b.isOne(bin) != want {
			t.Errorf("bin %d holds one number: %t", bin, !want)
		}
	}
}

// TestCellsOfTexts are those that VisitCells gives: among so many, and all of them used.
func TestCellsOfTexts(t *testing.T) {
	seen := map[int]int{}
	for i := range 2000 {
		text := fmt.Sprint("town ", i)
		cell := CellOf([]byte(text))
		if cell < 0 || cell >= Cells || cell != int(cellOf(record.Hash([]byte(text)))) {
			t.Fatalf("%s is in cell %d", text, cell)
		}
		seen[cell]++
	}
	for cell := range Cells {
		if seen[cell] < 20 {
			t.Errorf("%d of 2,000 texts are in cell %d", seen[cell], cell)
		}
	}
}

// TestLateColumnsHaveTheirDeclaredType: a column of words is one from its first record on, one of which nothing is declared waits for more.
func TestLateColumnsHaveTheirDeclaredType(t *testing.T) {
	l := testEncoder(t, func(c *Config) { c.Columns = map[string]ColumnConfig{"words": {Type: Categorical}} }, numbers(0, 50)...)
	encoded(l, true, fields("x", "1", "words", "5", "late", "5"))
	kinds := map[string]Kind{}
	for _, c := range l.Parts().Columns {
		kinds[c.Name] = c.Kind
	}
	if len(kinds) != 3 || kinds["words"] != Levelled || kinds["late"] != Untyped || kinds["x"] != Binned {
		t.Errorf("kinds %v", kinds)
	}
}
