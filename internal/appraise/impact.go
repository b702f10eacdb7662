package appraise

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// ImpactRatio is the smaller rate of positive decisions divided by the larger, in [0, 1]. The interval is that of the
// logarithm (Katz and others, Biometrics 34, 1978, pp. 469-474), with half a decision added to each count (Walter,
// Biometrika 62, 1975, pp. 371-374).
func (p *Pair) ImpactRatio(level float64) fairness.Measure {
	low, high := p.Group.Selected(level), p.Versus.Selected(level)
	if low.Value > high.Value {
		low, high = high, low
	}
	m := fairness.Measure{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: level, Records: low.Records + high.Records,
		Effective: low.Effective + high.Effective, Method: "katz-log"}
	if !(low.Value >= 0) || !(high.Value > 0) {
		return m
	}
	m.Value = low.Value / high.Value
	// Half a positive decision more on each side keeps the logarithm finite (Walter 1975).
	a, b := low.Value*low.Effective+.5, high.Value*high.Effective+.5
	logRatio := math.Log(a / (low.Effective + .5) / (b / (high.Effective + .5)))
	se := math.Sqrt(max(0, 1/a-1/(low.Effective+.5)+1/b-1/(high.Effective+.5)))
	half := fairness.NormalQuantile((1+level)/2) * se
	m.Lo, m.Hi = min(m.Value, math.Exp(logRatio-half)), max(m.Value, math.Exp(logRatio+half))
	return m
}
