package copies_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/copies"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestAkin: rows with a value that few others have, and with that of the other in most other columns, are about the same; the columns differ in how many
// of the rows they agree, and in how often any rows do.
func TestAkin(t *testing.T) {
	distinctive := func(name string) bool { return name == "a" }
	for name, c := range map[string]struct {
		rows int
		of   func(i int, r *rand.Rand) []string // of columns a, b, ...
		want copies.Kin
	}{
		"two versions of each": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/2), fmt.Sprint(i / 2 % 9), fmt.Sprint(i / 2 % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 200, Alike: 2, Of: 3, Differing: "d"}},
		"eight of each": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/8), fmt.Sprint(i / 8 % 9), fmt.Sprint(i / 8 % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}}, // fewer than one value for four rows
		"four of each": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/4), fmt.Sprint(i / 4 % 9), fmt.Sprint(i / 4 % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 300, Alike: 2, Of: 3, Differing: "d"}},
		"nine of some are a value that many have": {400, func(i int, r *rand.Rand) []string {
			id := i / 9
			if i >= 90 {
				id = i
			}
			return []string{fmt.Sprint("p", id), fmt.Sprint(id % 9), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}},
		"eight of some": {400, func(i int, r *rand.Rand) []string {
			id := i / 8
			if i >= 80 {
				id = i
			}
			return []string{fmt.Sprint("p", id), fmt.Sprint(id % 9), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 70, Alike: 2, Of: 3, Differing: "d"}},
		"forty pairs": {400, func(i int, r *rand.Rand) []string {
			id := max(i, 80)
			if i < 80 {
				id = i / 2
			}
			return []string{fmt.Sprint("p", id), fmt.Sprint(id % 9), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 40, Alike: 2, Of: 3, Differing: "d"}},
		"thirty-nine pairs": {400, func(i int, r *rand.Rand) []string {
			id := i
			if i < 78 {
				id = i / 2
			}
			return []string{fmt.Sprint("p", id), fmt.Sprint(id % 9), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}},
		"forty pairs of two thousand rows": {2000, func(i int, r *rand.Rand) []string {
			id := i
			if i < 80 {
				id = i / 2
			}
			return []string{fmt.Sprint("p", id), fmt.Sprint(id % 9), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}}, // 2 %
		"one column agrees": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/2), fmt.Sprint(i / 2 % 60), fmt.Sprint(r.IntN(7))}
		}, copies.Kin{}},
		"most columns do not": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/2), fmt.Sprint(i / 2 % 9), fmt.Sprint(i / 2 % 7), fmt.Sprint(r.IntN(50)), fmt.Sprint(r.IntN(50)), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}},
		"any rows agree so often": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/2), fmt.Sprint(i / 2 % 2), fmt.Sprint(i / 4 % 2), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}},
		"columns in which all agree tell nothing": {400, func(i int, r *rand.Rand) []string {
			return []string{fmt.Sprint("p", i/2), "1", fmt.Sprint(i / 2 % 9), fmt.Sprint(i / 2 % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 200, Alike: 2, Of: 3, Differing: "e"}},
		"numbers that are rounded are the same": {400, func(i int, r *rand.Rand) []string {
			id, digits := i/2, []int{1, 3}[i%2]
			return []string{fmt.Sprint("p", id), fmt.Sprintf("%.*f", digits, float64(id%97)/7), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{By: "a", Rows: 200, Alike: 2, Of: 3, Differing: "d"}},
		"numbers that differ in the last decimal are not": {400, func(i int, r *rand.Rand) []string {
			id := i / 2
			return []string{fmt.Sprint("p", id), fmt.Sprintf("%.1f", float64(id%97)/7+float64(i%2)/10), fmt.Sprint(id % 7), fmt.Sprint(r.IntN(50))}
		}, copies.Kin{}},
	} {
		made := tabletest.Made(&table.Table{First: true}, c.rows, func(i int, r *rand.Rand) map[string]string {
			row := map[string]string{}
			for k, text := range c.of(i, r) {
				row[[]string{"a", "b", "c", "d", "e", "label"}[k]] = text
			}
			return row
		})
		got, found := copies.Akin(made, tabletest.Anything, distinctive)
		if got != c.want || found != (c.want.By != "") {
			t.Errorf("%s: %+v, %v, want %+v", name, got, found, c.want)
		}
		if _, found := copies.Akin(made, tabletest.Anything, func(string) bool { return false }); found {
			t.Errorf("%s: by a column that is not distinctive", name)
		}
		if got, found := copies.Akin(made, func(name string) bool { return name != "a" }, distinctive); found {
			t.Errorf("%s: by a column that is not meant: %+v", name, got)
		}
	}
}

// TestAkinByNumbers: in columns of numbers, one that most rows have is no kin, and a number that is there in two precisions is one.
func TestAkinByNumbers(t *testing.T) {
	of := func(value func(i int) float64) (column []float64) {
		for i := range 200 {
			column = append(column, value(i))
		}
		return column
	}
	columns := map[string][]float64{
		"id": of(func(i int) float64 { return 1000 + float64(i/2) }), "x": of(func(i int) float64 { return float64(1 + i/2%9) }),
		"y": of(func(i int) float64 { return -float64(1 + i/2%7) }), "z": of(func(i int) float64 { return float64(1 + i) }),
	}
	by := func(name string) bool { return name == "id" }
	want := copies.Kin{By: "id", Rows: 100, Alike: 2, Of: 3, Differing: "z"}
	if got, _ := copies.Akin(tabletest.Cells(columns), tabletest.Anything, by); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	mixed := slices.Clone(columns["id"]) // texts among the numbers, and cells without a value
	for i := range 40 {
		mixed[2*i], mixed[2*i+1] = -5000-float64(i), -5000-float64(i)
	}
	mixed[100], mixed[101], mixed[102] = 0, 0, 0
	columns["id"] = mixed
	want.Rows = 98
	if got, _ := copies.Akin(tabletest.Cells(columns), tabletest.Anything, by); got != want {
		t.Errorf("with texts: %+v, want %+v", got, want)
	}
}
