package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestFlipped: labels that are turned round in a level or in a part of the rows, or that go with nothing in a level, and not those that a level or a part has its own share of, or that no column
// tells.
func TestFlipped(t *testing.T) {
	for name, c := range map[string]struct {
		strength float64
		turned   func(i int, b string, r *rand.Rand) bool
		want     Flipped
	}{
		"nowhere":        {2, func(int, string, *rand.Rand) bool { return false }, Flipped{}},
		"a level":        {2, func(_ int, b string, _ *rand.Rand) bool { return b == "l2" }, Flipped{Column: "b", Level: record.Hash([]byte("l2"))}},
		"half a level":   {2, func(_ int, b string, r *rand.Rand) bool { return b == "l2" && r.IntN(2) == 0 }, Flipped{Severed: true, Column: "b", Level: record.Hash([]byte("l2"))}},
		"a part":         {2, func(i int, _ string, _ *rand.Rand) bool { return i >= 600 && i < 1200 }, Flipped{From: 600, To: 1200, Of: 3000}},
		"nothing to see": {0, func(_ int, b string, _ *rand.Rand) bool { return b == "l2" }, Flipped{}},
	} {
		table := made(new(Table), 3000, func(i int, r *rand.Rand) map[string]string {
			a, b, d := r.NormFloat64(), fmt.Sprint("l", r.IntN(5)), r.IntN(3)
			positive := c.strength*(a+float64(d))+r.NormFloat64() > c.strength != c.turned(i, b, r)
			return map[string]string{"a": fmt.Sprint(a), "b": b, "c": fmt.Sprint("t", d), "label": fmt.Sprint(map[bool]int{true: 1}[positive])}
		})
		got, found := table.Flipped(func(name string) bool { return name != "label" })
		if got.Rows = 0; got != c.want || found != (c.want != Flipped{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestRenamed: a text whose place another takes on the way, in both directions, and not one that only stops or is new.
func TestRenamed(t *testing.T) {
	uses := []string{"car", "house", "holiday", "other"}
	for name, c := range map[string]struct {
		of          func(i int, use string) string
		gone, taken string
	}{
		"the same": {func(_ int, use string) string { return use }, "", ""},
		"merged": {func(i int, use string) string {
			return at(i < 1500 || use != "car", use) + at(i >= 1500 && use == "car", "other")
		}, "car", "other"},
		"renamed": {func(i int, use string) string { return use + at(i >= 1500 && use == "car", "s") }, "car", "cars"},
		"split": {func(i int, use string) string {
			return at(i >= 1500 || use != "car", use) + at(i < 1500 && use == "car", "other")
		}, "other", "car"},
		"no longer there":  {func(i int, use string) string { return at(i < 1500 || use != "car", use) }, "", ""},
		"texts of its own": {func(i int, _ string) string { return fmt.Sprint("t", i) }, "", ""},
	} {
		table := made(new(Table), 3000, func(i int, r *rand.Rand) map[string]string {
			return map[string]string{"a": c.of(i, uses[r.IntN(4)]), "b": "x"}
		})
		gone, taken, _, found := table.Renamed("a")
		if found != (c.gone != "") || found && (gone != record.Hash([]byte(c.gone)) || taken != record.Hash([]byte(c.taken))) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestRounded: numbers that are rounded in one half of the rows.
func TestRounded(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) float64
		to   float64
		last bool
	}{
		"nowhere":       {func(_ int, r *rand.Rand) float64 { return 1000 * r.Float64() }, 0, false},
		"to tens, last": {func(i int, r *rand.Rand) float64 { return pick(i < 500, 1000*r.Float64(), float64(10*r.IntN(99))) }, 10, true},
		"to ones, first": {func(i int, r *rand.Rand) float64 {
			return pick(i >= 500, 1000*r.Float64(), float64(10*r.IntN(9)+r.IntN(9)))
		}, 1, false},
		"everywhere":    {func(_ int, r *rand.Rand) float64 { return float64(100 * r.IntN(9)) }, 0, false},
		"to one number": {func(i int, r *rand.Rand) float64 { return pick(i < 500, 1000*r.Float64(), 100) }, 0, false},
	} {
		table := made(new(Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if to, last, found := table.Rounded("a"); to != c.to || last != c.last || found != (c.to > 0) {
			t.Errorf("%s: to %v, last %v", name, to, last)
		}
	}
}
