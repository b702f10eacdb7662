package fairness

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The methods by which an interval about a difference of means is made.
const (
	MethodWelch     = "welch-t"
	MethodWelchKish = "welch-t-on-effective-sizes"
)

// Welch returns the interval of the difference mean1 − mean0 of two independent
// means (Welch, Biometrika 34, 1947, pp. 28–35): with variances s², numbers of
// records n and Student's t of ν degrees of freedom (Satterthwaite, Biometrics
// Bulletin 2, 1946, pp. 110–114),
//
//	difference ± t √(s1²/n1 + s0²/n0),  ν = (s1²/n1 + s0²/n0)² / Σ (s²/n)²/(n−1)
//
// The numbers may be effective ones and must be at least 2, variances are finite
// and at least 0, and level is in (0, 1). The means themselves need not be
// normally distributed once there are some dozens of records. The level holds for
// one look at one comparison.
func Welch(mean1, variance1, n1, mean0, variance0, n0, level float64) (lo, hi float64) {
	checkLevel(level)
	if !(n1 >= 2 && n0 >= 2 && variance1 >= 0 && variance0 >= 0) {
		panic("fairness: a Welch interval needs two records and a variance on each side")
	}
	difference := mean1 - mean0
	part1, part0 := variance1/n1, variance0/n0
	total := part1 + part0
	if total == 0 {
		return difference, difference
	}
	// In shares of the total, which do not overflow.
	share1, share0 := part1/total, part0/total
	freedom := 1 / (share1*share1/(n1-1) + share0*share0/(n0-1))
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1 + level) / 2)
	half := float64(t * math.Sqrt(total))
	return difference - half, difference + half
}

// EstimateMeans measures a comparison of means, in the units of the predictions.
// The options are those of Estimate; at least two effective records are needed on
// each side whatever they say.
func (c Comparison) EstimateMeans(counts MeanCounts, o Options) Estimate {
	e := c.unmeasured(o)
	e.MeanSides = &MeanSides{MeanGroup: counts.Group.Average(), MeanVersus: counts.Versus.Average(),
		SDGroup: math.Sqrt(counts.Group.Variance()), SDVersus: math.Sqrt(counts.Versus.Variance())}
	e.NGroup, e.NVersus = counts.Group.Records, counts.Versus.Records
	e.EffectiveGroup, e.EffectiveVersus = counts.Group.Effective(), counts.Versus.Effective()
	e.NNeither, e.NUnknown = counts.Neither, counts.Unknown
	e.Method = MethodWelch
	if weighted(e.NGroup, e.EffectiveGroup) || weighted(e.NVersus, e.EffectiveVersus) {
		e.Method = MethodWelchKish
	}
	minimum := max(2, o.MinimumRecords)
	e.Reason = e.shortage(e.Group, e.NGroup, e.EffectiveGroup, minimum)
	if e.Reason == "" {
		e.Reason = e.shortage(e.Versus, e.NVersus, e.EffectiveVersus, minimum)
	}
	if e.Reason != "" {
		return e
	}
	e.Value = e.MeanGroup - e.MeanVersus
	inflation := max(1, o.Inflation)
	e.judge(func(group, versus float64) (lo, hi float64) {
		return Welch(e.MeanGroup, counts.Group.Variance(), max(2, group/inflation), e.MeanVersus, counts.Versus.Variance(), max(2, versus/inflation), o.Level)
	}, c.verdict)
	return e
}
