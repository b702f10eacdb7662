package copies_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/copies"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

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
		table := tabletest.Made(&table.Table{First: true}, 1500, func(i int, r *rand.Rand) map[string]string {
			row := map[string]string{}
			for k, n := range c.of(i, r) {
				row[string(rune('a'+k))] = fmt.Sprint(n)
			}
			return row
		})
		rows, differing, shown := copies.Nearly(table, tabletest.Anything)
		if differing != c.want || c.want != "" && (rows < 990 || rows > 1000 || shown != "a") {
			t.Errorf("%s: %d rows differ in %q, shown by %q", name, rows, differing, shown)
		}
		if rows, _, _ := copies.Nearly(table, func(name string) bool { return name != "b" }); c.want != "" && rows > 0 {
			t.Errorf("%s: %d rows without the column", name, rows)
		}
	}
	wide := tabletest.Made(&table.Table{First: true}, 1500, func(i int, r *rand.Rand) map[string]string {
		return map[string]string{"a": fmt.Sprint(i / 3), "b": fmt.Sprint(r.IntN(1000)), "c": fmt.Sprint(i / 3 % 2), "d": fmt.Sprint(i / 3 % 5), "e": fmt.Sprint(i / 3 % 7), "f": fmt.Sprint(i / 3 % 11)}
	})
	if rows, differing, _ := copies.Nearly(wide, tabletest.Anything); rows == 0 || differing != "b" {
		t.Errorf("of six columns, %d rows differ in %q", rows, differing)
	}
	if rows, differing, _ := copies.Nearly(wide, func(name string) bool { return name != "b" }); rows > 0 {
		t.Errorf("%d rows differ in %q, which is not meant", rows, differing)
	}
}
