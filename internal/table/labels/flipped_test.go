package labels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestFlipped: labels that are turned round in a level or in a part of the rows, or that go with nothing in a level, and not those that a level or a part has its own share of, or that no column
// tells.
func TestFlipped(t *testing.T) {
	for name, c := range map[string]struct {
		strength float64
		turned   func(i int, b string, r *rand.Rand) bool
		want     Flip
	}{
		"nowhere":        {2, func(int, string, *rand.Rand) bool { return false }, Flip{}},
		"a level":        {2, func(_ int, b string, _ *rand.Rand) bool { return b == "l2" }, Flip{Column: "b", Level: record.Hash([]byte("l2"))}},
		"half a level":   {2, func(_ int, b string, r *rand.Rand) bool { return b == "l2" && r.IntN(2) == 0 }, Flip{Severed: true, Column: "b", Level: record.Hash([]byte("l2"))}},
		"a part":         {2, func(i int, _ string, _ *rand.Rand) bool { return i >= 600 && i < 1200 }, Flip{From: 600, To: 1200, Of: 3000}},
		"nothing to see": {0, func(_ int, b string, _ *rand.Rand) bool { return b == "l2" }, Flip{}},
	} {
		table := tabletest.Made(new(table.Table), 3000, func(i int, r *rand.Rand) map[string]string {
			a, b, d := r.NormFloat64(), fmt.Sprint("l", r.IntN(5)), r.IntN(3)
			positive := c.strength*(a+float64(d))+r.NormFloat64() > c.strength != c.turned(i, b, r)
			return map[string]string{"a": fmt.Sprint(a), "b": b, "c": fmt.Sprint("t", d), "label": fmt.Sprint(map[bool]int{true: 1}[positive])}
		})
		got, found := Flipped(table, func(name string) bool { return name != "label" })
		if got.Rows = 0; got != c.want || found != (c.want != Flip{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestBinsOfNumbers end at the quantiles of those rows.
func TestBinsOfNumbers(t *testing.T) {
	c := tabletest.Cells(map[string][]float64{"c": append(tabletest.Rising(1, 1001), tabletest.Times(0, 5)...)}).Column("c")
	rows := make([]int, 1006)
	for i := range rows {
		rows[i] = 1005 - i
	}
	ends := quantiles(c, rows)
	if len(ends) != numberBins-1 || !slices.IsSorted(ends) {
		t.Fatalf("%v", ends)
	}
	for q, end := range ends {
		if want := 1 + float64((q+1)*1000/numberBins); end != want {
			t.Errorf("end %d is %v, want %v", q, end, want)
		}
	}
	if ends := quantiles(c, rows[:5]); ends != nil {
		t.Errorf("%v of no number", ends)
	}
	if ends := quantiles(c, []int{4, 4, 4}); !slices.Equal(ends, []float64{5}) {
		t.Errorf("%v of one number", ends)
	}
}
