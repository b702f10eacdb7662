package changes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/changes"
	"github.com/fairstream/fairstream/internal/table/tabletest"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestMoved: what becomes of a column between the first fifth of 1,000 rows and the last.
func TestMoved(t *testing.T) {
	number := func(r *rand.Rand) string { return fmt.Sprint(r.Float64()) }
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) string
		want changes.Move
	}{
		"stays":              {func(_ int, r *rand.Rand) string { return number(r) }, changes.Stays},
		"stops":              {func(i int, r *rand.Rand) string { return tabletest.At(i < 500, number(r)) }, changes.Stops},
		"starts":             {func(i int, r *rand.Rand) string { return tabletest.At(i >= 500, number(r)) }, changes.Starts},
		"stops, but for one": {func(i int, r *rand.Rand) string { return tabletest.At(i < 500 || i%20 == 0, number(r)) }, changes.Stays},
		"rarely there":       {func(i int, r *rand.Rand) string { return tabletest.At(i < 500 && i%5 > 0, number(r)) }, changes.Stays},
		"sticks": {func(i int, r *rand.Rand) string {
			return tabletest.At(i < 500, number(r)) + tabletest.At(i >= 500, "3")
		}, changes.Sticks},
		"never moved":    {func(int, *rand.Rand) string { return "3" }, changes.Stays},
		"other texts":    {func(i int, r *rand.Rand) string { return fmt.Sprint(i < 500, " ", r.IntN(3)) }, changes.Others},
		"one other text": {func(i int, _ *rand.Rand) string { return fmt.Sprint(i < 500) }, changes.Stays},
		"settles": {func(i int, r *rand.Rand) string {
			return fmt.Sprint("t", tabletest.At(i < 700, fmt.Sprint(r.IntN(3)))) + tabletest.At(i >= 700, "1")
		}, changes.Settles},
		"settles to 0": {func(i int, r *rand.Rand) string {
			return fmt.Sprint(tabletest.At(i < 700, fmt.Sprint(r.IntN(9)/7))) + tabletest.At(i >= 700, "0")
		}, changes.Settles},
		"rare texts":         {func(_ int, r *rand.Rand) string { return fmt.Sprint("t", r.IntN(100)/99) }, changes.Stays},
		"some new texts":     {func(i int, r *rand.Rand) string { return fmt.Sprint("t", i/500*r.IntN(9), " ", r.IntN(2)) }, changes.Stays},
		"texts of their own": {func(i int, _ *rand.Rand) string { return fmt.Sprint("t", i) }, changes.Stays},
	} {
		table := tabletest.Made(new(table.Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": c.of(i, r), "b": "x"} })
		if got := changes.Moved(table, "a"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	few := tabletest.Made(new(table.Table), table.Fifth*table.Enough-1, func(i int, r *rand.Rand) map[string]string {
		return map[string]string{"a": tabletest.At(i < 100, number(r)), "b": "x"}
	})
	if got := changes.Moved(few, "a"); got != changes.Stays {
		t.Errorf("of few rows: %q", got)
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
			return tabletest.At(i < 1500 || use != "car", use) + tabletest.At(i >= 1500 && use == "car", "other")
		}, "car", "other"},
		"renamed": {func(i int, use string) string { return use + tabletest.At(i >= 1500 && use == "car", "s") }, "car", "cars"},
		"split": {func(i int, use string) string {
			return tabletest.At(i >= 1500 || use != "car", use) + tabletest.At(i < 1500 && use == "car", "other")
		}, "other", "car"},
		"no longer there":  {func(i int, use string) string { return tabletest.At(i < 1500 || use != "car", use) }, "", ""},
		"texts of its own": {func(i int, _ string) string { return fmt.Sprint("t", i) }, "", ""},
	} {
		table := tabletest.Made(new(table.Table), 3000, func(i int, r *rand.Rand) map[string]string {
			return map[string]string{"a": c.of(i, uses[r.IntN(4)]), "b": "x"}
		})
		gone, taken, _, found := changes.Renamed(table, "a")
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
		"nowhere": {func(_ int, r *rand.Rand) float64 { return 1000 * r.Float64() }, 0, false},
		"to tens, last": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i < 500, 1000*r.Float64(), float64(10*r.IntN(99)))
		}, 10, true},
		"to ones, first": {func(i int, r *rand.Rand) float64 {
			return tabletest.Pick(i >= 500, 1000*r.Float64(), float64(10*r.IntN(9)+r.IntN(9)))
		}, 1, false},
		"everywhere":    {func(_ int, r *rand.Rand) float64 { return float64(100 * r.IntN(9)) }, 0, false},
		"to one number": {func(i int, r *rand.Rand) float64 { return tabletest.Pick(i < 500, 1000*r.Float64(), 100) }, 0, false},
	} {
		table := tabletest.Made(new(table.Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if to, last, found := changes.Rounded(table, "a"); to != c.to || last != c.last || found != (c.to > 0) {
			t.Errorf("%s: to %v, last %v", name, to, last)
		}
	}
}

// TestBackwards: times that are against the order of the rows, though they have an order.
func TestBackwards(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) int
		want changes.Order
	}{
		"oldest first":     {func(i int, _ *rand.Rand) int { return i }, changes.AnyOrder},
		"newest first":     {func(i int, _ *rand.Rand) int { return -i }, changes.NewestFirst},
		"nearly":           {func(i int, r *rand.Rand) int { return -i + 3*(r.IntN(999)/998) }, changes.NewestFirst},
		"two, the later":   {func(i int, _ *rand.Rand) int { return (i + 400) % 1000 }, changes.LaterFirst},
		"two, in step":     {func(i int, _ *rand.Rand) int { return 2*(i%500) + i/500 }, changes.AnyOrder},
		"in no order":      {func(_ int, r *rand.Rand) int { return r.IntN(1000) }, changes.AnyOrder},
		"the same for all": {func(int, *rand.Rand) int { return 1 }, changes.AnyOrder},
		"of few days":      {func(i int, _ *rand.Rand) int { return -i / 100 }, changes.AnyOrder},
	} {
		table := tabletest.Made(new(table.Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if got := changes.Backwards(table, "a"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
