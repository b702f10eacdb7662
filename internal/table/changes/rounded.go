package changes

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
)

const (
	// Numbers are rounded in the first or the last two fifths if nearly all there, mostlyRound, are whole multiples, and at most fewRound in the other.
	mostlyRound = .97
	fewRound    = .3
	leastRound  = 5 // different ones
)

// Rounded finds numbers that are rounded to a power of ten in the first two fifths of the rows alone, or in the last.
func Rounded(t *table.Table, name string) (to float64, last, found bool) {
	c := t.Column(name)
	n := 2 * len(t.Kept) / table.Fifth
	if c == nil || n < table.Enough {
		return 0, false, false
	}
	parts := [2]*table.Column{c.Part(0, n), c.Part(len(t.Kept)-n, len(t.Kept))}
	for _, power := range []float64{1, 10, 100, 1000} {
		var round [2]float64
		for p, part := range parts {
			whole, all := 0, 0
			for _, x := range part.Numbers {
				if math.IsNaN(x) || x == 0 {
					continue
				}
				if all++; math.Mod(x, power) == 0 {
					whole++
				}
			}
			if all < table.Enough {
				return 0, false, false
			}
			round[p] = float64(whole) / float64(all)
		}
		if max(round[0], round[1]) < mostlyRound {
			break // then to no larger power, too
		}
		low := slices.Index(round[:], min(round[0], round[1]))
		if round[low] <= fewRound && round[1-low] >= mostlyRound && distinctOf(parts[1-low]) >= leastRound {
			to, last, found = power, low == 0, true
		}
	}
	return to, last, found
}
