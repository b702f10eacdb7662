package changes_test

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/table/changes"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestNothingIsNothing: of a column that is not there, of few rows, and of rows in which nothing changes, all that is given is zero.
func TestNothingIsNothing(t *testing.T) {
	for _, n := range []int{9, 1000} {
		made := tabletest.Cells(map[string][]float64{"x": tabletest.Times(7, float64(n)), "text": tabletest.Times(-1, float64(n))})
		for _, name := range []string{"none", "x", "text"} {
			low, below, above, high, found := changes.Breaks(made, name)
			turn, turned := changes.Clock(made, name, tabletest.Anything)
			gone, taken, share, renamed := changes.Renamed(made, name)
			to, last, rounded := changes.Rounded(made, name)
			at, rows := changes.Edge(made, name)
			first, second := changes.Later(made, name, "none")
			got := fmt.Sprint(low, below, above, high, found, turn, turned, gone, taken, share, renamed, to, last, rounded, at, rows, first, second, changes.Halved(made, name), changes.Moved(made, name) == changes.Stays)
			if want := fmt.Sprint(0., 0., 0., 0., false, changes.Turn{}, false, 0, 0, 0., false, 0., false, false, 0., 0, 0, 0, false, true); got != want {
				t.Errorf("%d rows, %s: %s, want %s", n, name, got, want)
			}
		}
	}
}
