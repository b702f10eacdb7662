package appraise

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// ImpactRatio is the smaller rate of positive decisions divided by the larger: see fairness.NewRatio. All are NaN while a
// group has no records.
func (p *Pair) ImpactRatio(level float64) fairness.Ratio {
	group, versus := p.Group.Selected(level), p.Versus.Selected(level)
	if !(group.Effective > 0) || !(versus.Effective > 0) {
		return fairness.Ratio{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	return fairness.NewRatio(group.Value, group.Effective, versus.Value, versus.Effective, level)
}
