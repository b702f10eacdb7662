package models

import (
	"fmt"
	"math"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
)

// A column pays for a bound if it makes up at least soleShare of all that moves margins in its direction, takes back at least payingShare of
// what the others add in the other, and is at least payingLeast, in log odds or standard deviations of the label. In the other direction no
// column makes up as much: else which of both pays cannot be told.
const (
	soleShare   = .75
	payingShare = .5
	payingLeast = .2
)

// paying is a note for each column that pays: the bound is kept through it.
func paying(columns []appraise.Column, pairs []appraise.Pair, doc *document.Document) (notes []string) {
	unit := 1.0
	if doc.Label != nil {
		unit = doc.Label.StandardDeviation
	}
	enforced := map[string]bool{}
	for _, c := range doc.Constraints {
		enforced[c.Name] = enforced[c.Name] || c.Enforced
	}
	for i, p := range pairs {
		sums, most := [2]float64{}, [2]appraise.Column{} // by direction: the sum of all columns, and the largest
		for _, c := range columns {
			d, side := c.Differences[i], 0
			if d < 0 {
				side = 1
			}
			if math.IsNaN(d) {
				continue
			}
			sums[side] += math.Abs(d)
			if most[side].Differences == nil || math.Abs(d) > math.Abs(most[side].Differences[i]) {
				most[side] = c
			}
		}
		for side, c := range most {
			other := most[1-side]
			if !enforced[p.Name] || c.Differences == nil || other.Differences == nil || math.Abs(other.Differences[i]) >= soleShare*sums[1-side] {
				continue
			}
			if d := math.Abs(c.Differences[i]); d >= soleShare*sums[side] && d >= payingShare*sums[1-side] && d >= payingLeast*unit {
				notes = append(notes, english.Prose(fmt.Sprintf("Note: %s is kept through %q: it adds %+.3g to the margin of %s against %s, and all other columns together %+.3g. A column that tells the groups apart "+
					"is then weighted for that reason, which may be disparate treatment: see docs/choosing.md.", p.Name, c.Name, c.Differences[i], p.Group.Label, p.Versus.Label, sums[0]-sums[1]-c.Differences[i])))
			}
		}
	}
	return notes
}
