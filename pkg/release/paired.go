package release

import (
	"math"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// pair is the running difference of what two versions lose on the same records.
type pair struct {
	records int64
	mean    float64
	squares float64 // Σ (difference − mean)²
}

// add counts one record (Welford, Technometrics 4, 1962, pp. 419–420).
func (p *pair) add(difference float64) {
	p.records++
	off := difference - p.mean
	p.mean += off / float64(p.records)
	p.squares += float64(off * (difference - p.mean))
}

// narrowest is the number of records at which the sequence is narrowest, relative to the interval of one look. Candidates are
// decided after some 5,000 to 40,000 records; there it is within a few per cent of the best.
const narrowest = 10_000

// interval is the confidence sequence of the mean difference at its present end: with the given level it contains the running mean of the
// expected differences at all looks together. It is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of
// Statistics 52, 2024, pp. 2613–2640, theorem 2.2),
//
//	mean ± s √(2 (n ρ² + 1) / (n² ρ²) ln(√(n ρ² + 1) / α)).
//
// Two more differences of the size unseen enter the variance. Otherwise two versions that have always agreed so far would be taken to
// agree for ever, and a version that is rarely, but badly, wrong would pass before it was wrong once.
func (p *pair) interval(level, unseen float64) (lo, hi float64) {
	half := sequenceHalf(float64(p.records), (p.squares+2*unseen*unseen)/float64(p.records), level)
	return p.mean - half, p.mean + half
}

// sequenceHalf is the half width of the sequence of a mean of n numbers with the given variance.
func sequenceHalf(n, variance, level float64) float64 {
	alpha := 1 - level
	doubt := -2 * math.Log(alpha)
	rho2 := (doubt + math.Log(doubt+1)) / narrowest
	t := float64(n * rho2)
	return math.Sqrt(variance * 2 * (t + 1) / (n * t) * math.Log(math.Sqrt(t+1)/alpha))
}

// against compares the interval of a difference with what may be lost.
func against(lo, hi, delta float64) fairness.Status {
	switch {
	case hi <= delta:
		return fairness.Met
	case lo > delta:
		return fairness.Violated
	}
	return fairness.Inconclusive
}
