package seen

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/clue"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// mostPairs is how many different pairs of groups are looked for in the columns.
const mostPairs = 8

// Pair is the two groups of a comparison; other comparisons may have the same.
type Pair struct {
	clue.Classes
	Comparison int
	Shift      Shift           // of the first group
	Neighbours clue.Neighbours // features beside the group of other records
}

func pairsOf(comparisons []fairness.Comparison) (pairs []Pair) {
	var known []string
	for k, c := range comparisons {
		name := AttributesOf(c) + "\x00" + c.GroupLabel() + "\x00" + c.VersusLabel()
		if c.Known() && len(pairs) < mostPairs && !slices.Contains(known, name) {
			known, pairs = append(known, name), append(pairs, Pair{Comparison: k})
		}
	}
	return pairs
}

// AttributesOf names the attributes of a comparison.
func AttributesOf(c fairness.Comparison) string {
	var names []string
	for _, term := range c.Group {
		names = append(names, term.Attribute)
	}
	return strings.Join(names, ", ")
}
