package labels_test

import (
	"testing"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/internal/table/labels"
	"github.com/fairstream/fairstream/internal/table/tabletest"
)

// TestEndingAtItsBounds: forty rows in a row at least, at most half of all, and more than chance brings: of labels of which half are positive, 40 in a row
// have a probability of 2^-40, which is less than exp(-25).
func TestEndingAtItsBounds(t *testing.T) {
	// ends is a table of n rows, of which the last ones by their times have one label, and the others both in turn; the row before them has the other.
	ends := func(n, last int, positive bool, every int) *table.Table {
		times := make([]float64, n)
		for i := range times {
			times[i] = float64(1 + i*7%n)
		}
		made := tabletest.Cells(map[string][]float64{"at": times})
		for r := range made.Kept {
			before := n - last + 1 - int(times[r]) // 1 for the row before the last ones
			made.Kept[r] = table.Row{Labelled: true, Positive: positive}
			if before > 0 && (before-1)%every == 0 {
				made.Kept[r].Positive = !positive
			}
		}
		return made
	}
	for _, c := range []struct {
		name     string
		n, last  int
		positive bool
		every    int
		run      int // 0: none is found
	}{
		{"forty", 200, 40, false, 2, 40}, {"39", 200, 39, false, 2, 0}, {"forty positive ones", 200, 40, true, 2, 40}, {"half of all", 80, 40, false, 2, 40}, {"more than half", 81, 41, false, 2, 0},
		{"a label that is frequent", 400, 40, false, 4, 0}, {"more of a frequent label", 1000, 100, false, 4, 100}, {"all", 101, 101, true, 2, 0}, {"few rows", 39, 20, false, 2, 0},
	} {
		run, positive, found := labels.Ending(ends(c.n, c.last, c.positive, c.every), "at")
		if found != (c.run > 0) || found && (run != c.run || positive != c.positive) {
			t.Errorf("%s: %d, %v, %v", c.name, run, positive, found)
		}
	}
	repeated := ends(200, 41, false, 2)
	for r := range repeated.Kept {
		if repeated.Columns[0].Numbers[r] == 200 {
			repeated.Kept[r].Repeated = true // and does not count
		}
		if repeated.Columns[0].Numbers[r] == 199 {
			repeated.Kept[r].Labelled = false
		}
	}
	if _, _, found := labels.Ending(repeated, "at"); found {
		t.Error("copies and rows without a label are counted")
	}
	if run, _, found := labels.Ending(repeated, "nowhere"); run != 0 || found {
		t.Errorf("a column that is not there: %d", run)
	}
}
