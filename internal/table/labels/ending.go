package labels

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

// Labels at an end of time are all alike if leastRun rows in a row have one label, which of independent labels chance brings with a probability of
// exp(-leastUnlikely) at most.
const (
	leastRun      = 40
	leastUnlikely = 25.
)

// Ending says how many of the rows with the latest times have one label, and whether that is the positive one, if that is no chance: what came of
// them may not be known yet.
func Ending(t *table.Table, name string) (run int, positive, found bool) {
	c := t.Column(name)
	if c == nil {
		return 0, false, false
	}
	type moment struct {
		at       float64
		positive bool
	}
	var moments []moment
	all := 0
	for r, at := range c.Numbers {
		if t.Kept[r].Labelled && !t.Kept[r].Repeated && !math.IsNaN(at) {
			moments = append(moments, moment{at, t.Kept[r].Positive})
			if t.Kept[r].Positive {
				all++
			}
		}
	}
	if len(moments) < leastRun {
		return 0, false, false
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Compare(b.at, a.at) }) // the latest first
	positive = moments[0].positive
	for run < len(moments) && moments[run].positive == positive {
		run++
	}
	if !positive {
		all = len(moments) - all
	}
	before, of := len(moments)-run, all-run // among the earlier rows, of this label
	if run < leastRun || 2*before < len(moments) {
		return 0, false, false
	}
	return run, positive, -float64(run)*math.Log((float64(of)+1)/(float64(before)+2)) >= leastUnlikely
}
