package features

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	for of, want := range map[[2]int]string{{0, 5}: "any number", {0, 1}: "< " + formatNumber(after(5)), {1, 5}: ">= 5", {1, 2}: "[5, 9)", {2, 5}: "> 5", {2, 4}: "(5, 20)", {4, 5}: "> 9", {5, 5}: ">= 20"} {
		if got := b.words(of[0], of[1]); got != want {
			t.Errorf("bins %v are %q, want %q", of, got, want)
		}
	}
	plain := Binning{Edges: []float64{5, 9}}
	for of, want := range map[[2]int]string{{0, 0}: "< 5", {1, 1}: "[5, 9)", {2, 2}: ">= 9", {0, 1}: "< 9", {1, 2}: ">= 5", {0, 2}: "any number"} {
		if got := plain.words(of[0], of[1]); got != want {
			t.Errorf("without a single number, bins %v are %q, want %q", of, got, want)
		}
	}
	for bin, want := range map[int]bool{1: true, 2: false, 3: true, 4: false, 5: false} {
		if b.isOne(bin) != want {
			t.Errorf("bin %d holds one number: %t", bin, !want)
		}
	}
}

// TestMagnitudes: a number is told from one of the next quarter of a power of two, and from its negative, and from none of the same quarter.
func TestMagnitudes(t *testing.T) {
	for _, x := range []float64{1e-300, .25, .3, .5, .75, .9, 1, 1.5, 2, 3, 100, 1e300} {
		power := math.Exp2(math.Floor(math.Log2(x)))
		begin := power + math.Floor((x-power)/(power/4))*(power/4)
		end := math.Nextafter(begin+power/4, 0)
		if magnitude(begin) != magnitude(end) || magnitude(x) != magnitude(end) {
			t.Errorf("from %v to %v: %d and %d", begin, end, magnitude(begin), magnitude(end))
		}
		if magnitude(begin+power/4) != magnitude(x)+1 {
			t.Errorf("%v: %d, and the next quarter %d", x, magnitude(x), magnitude(begin+power/4))
		}
		if magnitude(-x) != ^magnitude(x) {
			t.Errorf("%v: %d, and its negative %d", x, magnitude(x), magnitude(-x))
		}
	}
	if magnitude(0) != 0 {
		t.Errorf("of zero: %d", magnitude(0))
	}
}

// TestTestsOfAState: one that is under way has seen as many records as it waits for, at least.
func TestTestsOfAState(t *testing.T) {
	for patience, want := range map[int64]bool{-1: false, 0: false, 1: true, 3: true, 4: false} {
		of := scoreTest{key: 7, records: 3}
		of.patience = patience
		w := codec.NewWriter(nil)
		of.fields(w)
		r := codec.NewReader(w.Bytes())
		var read scoreTest
		if read.fields(r); (r.End() == nil) != want || want && read != of {
			t.Errorf("a patience of %d of 3 records: %v, %+v", patience, r.End(), read)
		}
	}
}

// TestDeviationsByHand: bins are beside the mean of their group and a slope that is common to all, and those of too little variance say nothing.
func TestDeviationsByHand(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 3))
	for groups := 1; groups <= 3; groups++ {
		for round := range 200 {
			bins := make([]binEvidence, 12)
			total := make([]binEvidence, groups)
			of := func(bin int) int32 { return int32(bin % groups) }
			sum, degrees, spread, product := 0.0, -1-groups, 0.0, 0.0
			size := []float64{5, .1}[round%2]
			for i := range bins {
				b := binEvidence{residual: size * random.NormFloat64(), variance: leastVariance * []float64{1, .99, 1, 3, 10}[random.IntN(5)], moment: 4 * random.NormFloat64()}
				if i < groups {
					b.variance = leastVariance // each group has one
				}
				bins[i] = b
				if g := &total[of(i)]; b.variance >= leastVariance {
					g.residual, g.variance, g.moment = g.residual+b.residual, g.variance+b.variance, g.moment+b.moment
				}
			}
			for i, b := range bins {
				if b.variance >= leastVariance {
					g := total[of(i)]
					degrees++
					off := b.residual/b.variance - g.residual/g.variance
					d := b.moment/b.variance - g.moment/g.variance
					sum += b.variance * off * off
					spread, product = spread+b.variance*d*d, product+b.variance*off*d
				}
			}
			dispersion := .5 + random.Float64()
			want := math.Sqrt(2*(sum-product*product/spread)/dispersion) - math.Sqrt(float64(2*degrees-1))
			for _, c := range []struct {
				least float64
				want  bool
			}{{want - 1e-6, true}, {want + 1e-6, false}} {
				if got := deviates(bins, of, make([]binEvidence, groups), dispersion, c.least); got != c.want {
					t.Fatalf("%d groups, %d: bins deviate by %v, and by %v: %v", groups, round, want, c.least, got)
				}
			}
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
