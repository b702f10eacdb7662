package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestMoved: what becomes of a column between the first fifth of 1,000 rows and the last.
func TestMoved(t *testing.T) {
	number := func(r *rand.Rand) string { return fmt.Sprint(r.Float64()) }
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) string
		want Moved
	}{
		"stays":              {func(_ int, r *rand.Rand) string { return number(r) }, Stays},
		"stops":              {func(i int, r *rand.Rand) string { return at(i < 500, number(r)) }, Stops},
		"starts":             {func(i int, r *rand.Rand) string { return at(i >= 500, number(r)) }, Starts},
		"stops, but for one": {func(i int, r *rand.Rand) string { return at(i < 500 || i%20 == 0, number(r)) }, Stays},
		"rarely there":       {func(i int, r *rand.Rand) string { return at(i < 500 && i%5 > 0, number(r)) }, Stays},
		"sticks":             {func(i int, r *rand.Rand) string { return at(i < 500, number(r)) + at(i >= 500, "3") }, Sticks},
		"never moved":        {func(int, *rand.Rand) string { return "3" }, Stays},
		"other texts":        {func(i int, r *rand.Rand) string { return fmt.Sprint(i < 500, " ", r.IntN(3)) }, Others},
		"one other text":     {func(i int, _ *rand.Rand) string { return fmt.Sprint(i < 500) }, Stays},
		"settles": {func(i int, r *rand.Rand) string {
			return fmt.Sprint("t", at(i < 700, fmt.Sprint(r.IntN(3)))) + at(i >= 700, "1")
		}, Settles},
		"settles to 0": {func(i int, r *rand.Rand) string {
			return fmt.Sprint(at(i < 700, fmt.Sprint(r.IntN(9)/7))) + at(i >= 700, "0")
		}, Settles},
		"rare texts":         {func(_ int, r *rand.Rand) string { return fmt.Sprint("t", r.IntN(100)/99) }, Stays},
		"some new texts":     {func(i int, r *rand.Rand) string { return fmt.Sprint("t", i/500*r.IntN(9), " ", r.IntN(2)) }, Stays},
		"texts of their own": {func(i int, _ *rand.Rand) string { return fmt.Sprint("t", i) }, Stays},
	} {
		table := made(new(Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": c.of(i, r), "b": "x"} })
		if got := table.Moved("a"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	few := made(new(Table), fifth*leastScaled-1, func(i int, r *rand.Rand) map[string]string {
		return map[string]string{"a": at(i < 100, number(r)), "b": "x"}
	})
	if got := few.Moved("a"); got != Stays {
		t.Errorf("of few rows: %q", got)
	}
}

// TestTurned: a few numbers below 0 that are like the others without their sign, and not those of numbers about 0.
func TestTurned(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) float64
		want int
	}{
		"one in twenty":      {func(i int, r *rand.Rand) float64 { return pick(i%20 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2) }, 100},
		"one in fifty":       {func(i int, r *rand.Rand) float64 { return pick(i%50 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2) }, 0},
		"one in five":        {func(i int, r *rand.Rand) float64 { return pick(i%5 == 0, -1, 1) * 100 * math.Exp(r.NormFloat64()/2) }, 0},
		"smaller amounts":    {func(i int, r *rand.Rand) float64 { return pick(i%20 == 0, -.2, 1) * 100 * math.Exp(r.NormFloat64()/2) }, 0},
		"a normal variable":  {func(_ int, r *rand.Rand) float64 { return 1.6 + r.NormFloat64() }, 0},
		"few different ones": {func(i int, r *rand.Rand) float64 { return pick(i%20 == 0, -1, 1) * float64(10+r.IntN(9)) }, 0},
	} {
		table := made(new(Table), 2000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if below, of := table.Turned("a"); below != c.want || below > 0 && of != 2000 {
			t.Errorf("%s: %d of %d", name, below, of)
		}
	}
}

// TestTellingOf: a value that gives one of two groups away, by the values of an attribute; rows of other groups do not count.
func TestTellingOf(t *testing.T) {
	table := made(new(Table), 2000, func(i int, _ *rand.Rand) map[string]string {
		row := map[string]string{"a": "no", "b": []string{"f", "m", "m", "other"}[i%4]}
		if row["b"] == "f" && i%8 == 0 || row["b"] == "other" {
			row["a"] = "yes"
		}
		return row
	})
	hashes := func(text string) []uint64 { return []uint64{record.Hash([]byte(text))} }
	level, first, found := table.TellingOf("a", "b", hashes("f"), hashes("m"))
	if !found || !first || level.Rows != 250 || level.Positive != 250 || level.Hash != record.Hash([]byte("yes")) {
		t.Errorf("%+v, %v, %v", level, first, found)
	}
	if _, first, found := table.TellingOf("a", "b", hashes("m"), hashes("f")); !found || first {
		t.Errorf("turned: %v, %v", first, found)
	}
	if _, _, found := table.TellingOf("a", "absent", hashes("f"), hashes("m")); found {
		t.Error("found without the attribute")
	}
}

// TestBackwards: times that are against the order of the rows, though they have an order.
func TestBackwards(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i int, r *rand.Rand) int
		want Order
	}{
		"oldest first":     {func(i int, _ *rand.Rand) int { return i }, AnyOrder},
		"newest first":     {func(i int, _ *rand.Rand) int { return -i }, NewestFirst},
		"nearly":           {func(i int, r *rand.Rand) int { return -i + 3*(r.IntN(999)/998) }, NewestFirst},
		"two, the later":   {func(i int, _ *rand.Rand) int { return (i + 400) % 1000 }, LaterFirst},
		"two, in step":     {func(i int, _ *rand.Rand) int { return 2*(i%500) + i/500 }, AnyOrder},
		"in no order":      {func(_ int, r *rand.Rand) int { return r.IntN(1000) }, AnyOrder},
		"the same for all": {func(int, *rand.Rand) int { return 1 }, AnyOrder},
		"of few days":      {func(i int, _ *rand.Rand) int { return -i / 100 }, AnyOrder},
	} {
		table := made(new(Table), 1000, func(i int, r *rand.Rand) map[string]string { return map[string]string{"a": fmt.Sprint(c.of(i, r))} })
		if got := table.Backwards("a"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
