package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// made is a table of so many records with the fields that values gives. A record is positive where its field "label" is "1".
func made(t *Table, records int, values func(i int, r *rand.Rand) map[string]string) *Table {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		var fields []record.Field
		row := values(i, r)
		for _, name := range []string{"a", "b", "c", "d", "e", "label"} {
			if text, has := row[name]; has {
				fields = append(fields, record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text)), Missing: text == ""})
			}
		}
		t.Add(fields, true, row["label"] == "1", false)
	}
	return t
}

func anything(string) bool { return true }

// TestRows: a table keeps the first records, or an even selection of all, whatever period they have; columns that come late lack what was before.
func TestRows(t *testing.T) {
	values := func(i int, _ *rand.Rand) map[string]string {
		row := map[string]string{"a": fmt.Sprint(i)}
		if i >= 10_000 {
			row["b"] = fmt.Sprint(i % 4)
		}
		return row
	}
	first, even := made(&Table{First: true}, 40_000, values), made(new(Table), 40_000, values)
	if first.Rows() != mostRows || first.of("a").numbers[mostRows-1] != mostRows-1 || first.of("b") != nil {
		t.Errorf("of the first records %d rows", first.Rows())
	}
	a, b := even.of("a"), even.of("b")
	if n := even.Rows(); n < mostRows/4 || n > mostRows || len(a.hashes) != n || len(b.numbers) != n || !slices.IsSorted(a.numbers) {
		t.Fatalf("%d rows, %d and %d values", n, len(a.hashes), len(b.numbers))
	}
	if mean := sum(a.numbers) / float64(even.Rows()); math.Abs(mean-20_000) > 1000 {
		t.Errorf("the mean record is %v", mean)
	}
	for k, n := range counts(b) {
		if share := float64(n) / float64(b.values()); math.Abs(share-.25) > .05 {
			t.Errorf("residue %v in %v of the rows", k, share)
		}
	}
	if share := float64(b.values()) / float64(even.Rows()); math.Abs(share-.75) > .05 {
		t.Errorf("%v of the rows have the late column", share)
	}
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func counts(c *column) map[float64]int {
	n := map[float64]int{}
	for _, x := range c.numbers {
		if !math.IsNaN(x) {
			n[x]++
		}
	}
	return n
}

// TestColumnsAreBounded: of columns beyond the first ones nothing is kept, and a field that comes twice counts once.
func TestColumnsAreBounded(t *testing.T) {
	var table Table
	var fields []record.Field
	for i := range mostColumns + 3 {
		fields = append(fields, record.Field{Name: fmt.Sprint(i), Text: []byte("1"), Hash: 1})
	}
	table.Add(append(fields, fields[0]), true, true, false)
	if len(table.columns) != mostColumns || len(table.columns[0].hashes) != 1 {
		t.Errorf("%d columns, %d values", len(table.columns), len(table.columns[0].hashes))
	}
}

// TestNumbers: what is read as a number, and as a time.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"12": 12, "-1.5": -1.5, "1e3": 1000, "": math.NaN(), "x": math.NaN(), "NaN": math.NaN(), "1970-01-02": 86400, "02.01.1970": 86400,
		"01/02/1970": math.NaN(), "9999-12-31": math.NaN()} {
		if got := numberOrTime([]byte(text)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// TestTelling: a value that only one label has must be frequent, of nearly no other, and had by much of its label, of the rarer one less.
func TestTelling(t *testing.T) {
	for name, c := range map[string]struct {
		records, positive, having, others int
		found                             bool
	}{
		"half of one label":        {2000, 1000, 500, 0, true},
		"too little of the label":  {2000, 1001, 290, 0, false},
		"enough of the rarer":      {2000, 999, 290, 0, true},
		"a few others":             {2000, 1000, 500, 5, true},
		"more others":              {2000, 1000, 500, 6, false},
		"too few records":          {2000, 300, 99, 0, false},
		"what chance brings":       {2000, 1960, 900, 0, false},
		"more than chance brings":  {2000, 1940, 1900, 0, true},
		"nearly all of the rarest": {2000, 150, 140, 0, true},
	} {
		table := made(new(Table), c.records, func(i int, _ *rand.Rand) map[string]string {
			row := map[string]string{"a": "x", "label": "0"}
			if i < c.positive {
				row["label"] = "1"
			}
			if row["a"] = at(i%2 == 0, "x"); i < c.having || i >= c.positive && i < c.positive+c.others {
				row["a"] = "y"
			}
			return row
		})
		level, positive, found := table.Telling("a")
		if level.Hash != record.Hash([]byte("y")) {
			found = false // the others have x
		}
		if found != c.found || found && (!positive || level.Rows != c.having+c.others) {
			t.Errorf("%s: %+v, %v, %v", name, level, positive, found)
		}
	}
}

// TestSpike: one number among many different ones, that is neither 0 nor at an end.
func TestSpike(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) float64
		want float64
	}{
		"one in ten":        {func(i int, r *rand.Rand) float64 { return pick(i%10 == 0, 500.5, 1000*r.Float64()) }, 500.5},
		"one in forty":      {func(i int, r *rand.Rand) float64 { return pick(i%40 == 0, 500.5, 1000*r.Float64()) }, 0},
		"zero":              {func(i int, r *rand.Rand) float64 { return pick(i%10 == 0, 0, 1000*r.Float64()-500) }, 0},
		"the highest":       {func(i int, r *rand.Rand) float64 { return pick(i%10 == 0, 1000, 1000*r.Float64()) }, 0},
		"the lowest":        {func(i int, r *rand.Rand) float64 { return pick(i%10 == 0, -1, 1000*r.Float64()) }, 0},
		"others come twice": {func(i int, r *rand.Rand) float64 { return pick(i%10 == 0, 500, math.Floor(1000*r.Float64())) }, 0},
	} {
		table := made(new(Table), 2000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if x, rows, of := table.Spike("a"); x != c.want || c.want != 0 && (rows != 200 || of != 2000) {
			t.Errorf("%s: %v in %d of %d rows", name, x, rows, of)
		}
	}
}

func pick(is bool, a, b float64) float64 {
	if is {
		return a
	}
	return b
}

// TestMerged: values that stand for the rows below them never follow the same one.
func TestMerged(t *testing.T) {
	for name, c := range map[string]struct {
		of    func(i int, r *rand.Rand) string
		found bool
	}{
		"at the first row of each block": {func(i int, _ *rand.Rand) string { return at(i%20 == 0, fmt.Sprint(i/20%3)) }, true},
		"blocks of different lengths":    {func(i int, r *rand.Rand) string { return at(i == 0 || i == 90 || i == 411 || i == 800, fmt.Sprint(i)) }, true},
		"too few blocks":                 {func(i int, r *rand.Rand) string { return at(i == 0 || i == 90 || i == 411, fmt.Sprint(i)) }, false},
		"not in the first row":           {func(i int, _ *rand.Rand) string { return at(i%20 == 1, fmt.Sprint(i/20%3)) }, false},
		"the same twice":                 {func(i int, _ *rand.Rand) string { return at(i%20 == 0, fmt.Sprint(i/40%3)) }, false},
		"mostly filled":                  {func(i int, _ *rand.Rand) string { return at(i%3 != 1, fmt.Sprint(i%3)) }, false},
		"a text of its own in some":      {func(i int, _ *rand.Rand) string { return at(i%5 == 0, fmt.Sprint(i)) }, false},
	} {
		table := made(&Table{First: true}, 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": c.of(i, r), "b": "x"} })
		if filled, found := table.Merged("a"); found != c.found {
			t.Errorf("%s: %d rows are filled: %v", name, filled, found)
		}
	}
}

func at(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// TestEnding: the latest rows have one label, more of them than chance brings.
func TestEnding(t *testing.T) {
	for name, c := range map[string]struct {
		share float64 // of positive labels before
		last  int     // of 1000 days, without a positive label
		found bool
	}{
		"a tenth": {.5, 100, true}, "too few": {.5, 15, false}, "a rare label": {.1, 100, false}, "a rare label for longer": {.1, 400, true}, "most of the time": {.5, 600, false},
	} {
		table := made(new(Table), 2000, func(i int, r *rand.Rand) map[string]string {
			day := r.IntN(1000)
			row := map[string]string{"a": fmt.Sprint(1_700_000_000 + 86_400*day), "label": "0"}
			if day < 1000-c.last && r.Float64() < c.share {
				row["label"] = "1"
			}
			return row
		})
		if run, positive, found := table.Ending("a"); found != c.found || found && (positive || run < 3*c.last/2) {
			t.Errorf("%s: %d rows, positive %v, %v", name, run, positive, found)
		}
	}
}

// TestScaled: the numbers of one level are those of the others times a factor, and not only larger.
func TestScaled(t *testing.T) {
	for name, c := range map[string]struct {
		of     func(level bool, r *rand.Rand) float64
		factor float64
	}{
		"a currency":      {func(level bool, r *rand.Rand) float64 { return pick(level, 160, 1) * math.Exp(r.NormFloat64()) }, 160},
		"months":          {func(level bool, r *rand.Rand) float64 { return pick(level, 1./12, 1) * math.Exp(r.NormFloat64()/2) }, 1. / 12},
		"somewhat larger": {func(level bool, r *rand.Rand) float64 { return pick(level, 2, 1) * math.Exp(r.NormFloat64()) }, 0},
		"of another shape": {func(level bool, r *rand.Rand) float64 {
			return pick(level, 100+100*r.Float64(), math.Exp(r.NormFloat64()))
		}, 0},
		"few different values": {func(level bool, r *rand.Rand) float64 { return pick(level, 100, 1) * float64(1+r.IntN(20)) }, 0},
	} {
		table := made(new(Table), 2000, func(_ int, r *rand.Rand) map[string]string {
			level := r.IntN(5) == 0
			return map[string]string{"a": fmt.Sprint(c.of(level, r)), "b": map[bool]string{true: "x", false: "y"}[level], "c": fmt.Sprint(r.IntN(3))}
		})
		by, found := table.Scaled("a", anything)
		if found != (c.factor != 0) || found && (by.Category != "b" || by.Level != record.Hash([]byte("x")) || math.Abs(by.Factor/c.factor-1) > .3) {
			t.Errorf("%s: %+v, %v", name, by, found)
		}
		if _, found := table.Scaled("a", func(name string) bool { return name != "b" }); found {
			t.Errorf("%s: by a column that is not meant", name)
		}
	}
}

// TestTwofold: no row has both columns, nearly all have one, and they hold the same.
func TestTwofold(t *testing.T) {
	text := func(n, of int) string { return fmt.Sprint("p", n%of) }
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) (a, b string)
		want bool
	}{
		"numbers":         {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, fmt.Sprint(r.Float64())) }, true},
		"texts":           {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, text(r.IntN(9), 5)) }, true},
		"both in one row": {func(i int, r *rand.Rand) (a, b string) { return either2(i < 1000, i == 7, fmt.Sprint(r.Float64())) }, false},
		"other numbers": {func(i int, r *rand.Rand) (a, b string) {
			return either(i < 1000, fmt.Sprint(r.Float64()*pick(i < 1000, 1, 2)))
		}, false},
		"other texts": {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, fmt.Sprint(i < 1000, r.IntN(5))) }, false},
		"rarely":      {func(i int, r *rand.Rand) (a, b string) { return either(i < 150, fmt.Sprint(r.Float64())) }, false},
		"neither in many": {func(i int, r *rand.Rand) (a, b string) {
			return either(i%2 == 0, at(i < 1700, fmt.Sprint(r.Float64())))
		}, false},
		"one text in each": {func(i int, r *rand.Rand) (a, b string) { return either(i < 1000, "yes") }, false},
	} {
		table := made(new(Table), 2000, func(i int, r *rand.Rand) map[string]string {
			a, b := c.of(i, r)
			return map[string]string{"a": a, "b": b}
		})
		if pairs := table.Twofold(anything); (len(pairs) == 1) != c.want || c.want && pairs[0] != [2]string{"a", "b"} {
			t.Errorf("%s: %v", name, pairs)
		}
	}
}

func either(first bool, text string) (a, b string) { return either2(first, false, text) }

func either2(first, both bool, text string) (a, b string) {
	if first || both {
		a = text
	}
	if !first || both {
		b = text
	}
	return a, b
}

// TestShifted: a few rows have in one column the texts of another.
func TestShifted(t *testing.T) {
	for name, c := range map[string]struct {
		of    func(i int, r *rand.Rand) (a, b string)
		found bool
	}{
		"one in fifty": {func(i int, r *rand.Rand) (a, b string) { return moved(i%50 == 0, r) }, true},
		"one in 300":   {func(i int, r *rand.Rand) (a, b string) { return moved(i%300 == 0, r) }, false},
		"one in three": {func(i int, r *rand.Rand) (a, b string) { return moved(i%3 == 0, r) }, false},
		"one text for both": {func(i int, r *rand.Rand) (a, b string) {
			return "x0", at(i%50 == 0, "x0") + at(i%50 > 0, fmt.Sprint("y", r.IntN(4)))
		}, false},
		"a text that may be": {func(i int, r *rand.Rand) (a, b string) {
			return fmt.Sprint("x", r.IntN(4)), fmt.Sprint("x", r.IntN(4)*r.IntN(2)*r.IntN(2))
		}, false},
	} {
		table := made(new(Table), 2000, func(i int, r *rand.Rand) map[string]string {
			a, b := c.of(i, r)
			return map[string]string{"a": a, "b": b}
		})
		if here, there, rows := table.Shifted(anything); rows > 0 != c.found || c.found && (here != "b" || there != "a" || rows != 40) {
			t.Errorf("%s: %s of %s in %d rows", name, here, there, rows)
		}
	}
}

func moved(is bool, r *rand.Rand) (a, b string) {
	if a, b = fmt.Sprint("x", r.IntN(4)), fmt.Sprint("y", r.IntN(4)); is {
		return "", a
	}
	return a, b
}

// TestNearly: rows that are the same but for one column are copies where another column has a value of its own in each record.
func TestNearly(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) []int
		want string
	}{
		"three of each": {func(i int, r *rand.Rand) []int { return []int{i / 3, r.IntN(1000), i / 3 % 2, i / 3 % 5, i / 3 % 7} }, "b"},
		"none of its own": {func(i int, r *rand.Rand) []int {
			return []int{i / 3 % 50, r.IntN(1000), i / 3 % 2, i / 3 % 5, i / 3 % 7}
		}, ""},
		"two that differ":   {func(i int, r *rand.Rand) []int { return []int{i / 3, r.IntN(1000), r.IntN(1000), i / 3 % 5, i / 3 % 7} }, ""},
		"too few that vary": {func(i int, r *rand.Rand) []int { return []int{i / 3, r.IntN(1000), 1, i / 3 % 5, i / 3 % 7} }, ""},
		"independent ones": {func(i int, r *rand.Rand) []int {
			return []int{r.IntN(900), r.IntN(1000), r.IntN(2), r.IntN(2), r.IntN(2)}
		}, ""},
	} {
		table := made(&Table{First: true}, 1500, func(i int, r *rand.Rand) map[string]string {
			row := map[string]string{}
			for k, n := range c.of(i, r) {
				row[string(rune('a'+k))] = fmt.Sprint(n)
			}
			return row
		})
		rows, differing, shown := table.Nearly(anything)
		if differing != c.want || c.want != "" && (rows < 990 || rows > 1000 || shown != "a") {
			t.Errorf("%s: %d rows differ in %q, shown by %q", name, rows, differing, shown)
		}
		if rows, _, _ := table.Nearly(func(name string) bool { return name != "b" }); c.want != "" && rows > 0 {
			t.Errorf("%s: %d rows without the column", name, rows)
		}
	}
}
