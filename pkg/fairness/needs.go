package fairness

import (
	"math"
	"math/rand/v2"
)

// Needs is how many records a verdict and an alarm need, for a planned comparison. Records are those of both sides that meet the
// condition.
type Needs struct {
	RateGroup  float64 // rates of positive decisions, in [0, 1]
	RateVersus float64
	ShareGroup float64 // the group's share of the records of both sides, in (0, 1)
	Tau        float64 // in (0, 1)
}

func (n Needs) check() {
	rate := func(p float64) bool { return p >= 0 && p <= 1 }
	if !rate(n.RateGroup) || !rate(n.RateVersus) || !(n.ShareGroup > 0 && n.ShareGroup < 1) || !(n.Tau > 0 && n.Tau < 1) {
		panic("fairness: rates are in [0, 1], share and tau in (0, 1)")
	}
}

// needsPaths and needsStep are how finely Verdict simulates: its answer is within about 10 % of the median.
const (
	needsPaths = 199
	needsStep  = 1.03
)

// Verdict is about how many records an asymptotic confidence sequence of a level needs for a verdict, met or violated: the median
// over paths of the estimated difference, which has independent normal increments, with the same paths at every call. It is
// infinite at a difference of tau, and where a rate is 0 or 1.
func (n Needs) Verdict(level float64) float64 {
	n.check()
	checkLevel(level)
	one, none := n.ShareGroup, 1-n.ShareGroup
	rarest := min(one*min(n.RateGroup, 1-n.RateGroup), none*min(n.RateVersus, 1-n.RateVersus))
	difference := n.RateGroup - n.RateVersus
	if rarest == 0 || math.Abs(math.Abs(difference)-n.Tau) < 1e-9 {
		return math.Inf(1)
	}
	variance := n.RateGroup*(1-n.RateGroup)/one + n.RateVersus*(1-n.RateVersus)/none // of one record
	random := rand.New(rand.NewPCG(1, 1))
	var paths [needsPaths]float64 // what the estimate is off, times the records
	var settled [needsPaths]bool
	count, before := 0, 0.0
	for records := SequenceMinimum / rarest; records < mostNeeded; records *= needsStep {
		half := sequenceHalf(records*one*none, variance/records, 1-level)
		step := math.Sqrt(variance * (records - before))
		for i := range paths {
			paths[i] += step * random.NormFloat64()
			at := difference + paths[i]/records
			if !settled[i] && verdict(at-half, at+half, n.Tau) != Inconclusive {
				settled[i] = true
				count++
			}
		}
		if 2*count > needsPaths {
			return records
		}
		before = records
	}
	return math.Inf(1)
}

// HalfWidth is that of the asymptotic confidence sequence of a level after so many records; NaN if a side then expects too few
// decisions of a kind.
func (n Needs) HalfWidth(records, level float64) float64 {
	n.check()
	checkLevel(level)
	one, none := n.ShareGroup*records, (1-n.ShareGroup)*records
	if min(one*min(n.RateGroup, 1-n.RateGroup), none*min(n.RateVersus, 1-n.RateVersus)) < SequenceMinimum {
		return math.NaN()
	}
	return sequenceHalf(one*none/records, n.RateGroup*(1-n.RateGroup)/one+n.RateVersus*(1-n.RateVersus)/none, 1-level)
}

// mostNeeded is beyond what anybody has.
const mostNeeded = 1e10

// Alarm is about how many records pass between a change to these rates, from equal ones, and the alarm of a Detector at a run
// length: the median of the first passage of bets that grow by their mean logarithm. It is infinite if the rates differ by tau or
// less.
func (n Needs) Alarm(runLength float64) float64 {
	n.check()
	rates := [2]float64{n.RateGroup, n.RateVersus}
	difference := rates[0] - rates[1]
	if math.Abs(difference) <= n.Tau+1e-9 {
		return math.Inf(1)
	}
	const many = 1 << 20
	wanted := blockOf([2]int64{int64(math.Round(n.ShareGroup * many)), int64(math.Round((1 - n.ShareGroup) * many))})
	put := float64(wanted[0] + wanted[1])
	var before, rate [detectorBets]float64
	begun := 0.0
	most := largestBet(&Comparison{Criterion: DemographicParity, Tau: n.Tau})
	for i, lambda := range detectorLambda {
		lambda = min(lambda, most)
		before[i] = put * (1 - lambda*n.Tau) / (lambda * n.Tau) // where what is put in equals what is lost at a difference of 0
		begun += before[i] / (2 * detectorBets)
		rate[i] = growth(lambda, math.Copysign(1, difference), n.Tau, rates, wanted)
	}
	blocks := solve(func(blocks float64) bool {
		sum := 0.0
		for i, r := range rate {
			grown := min(blocks*r, 600)
			// Σ exp(j r) over the blocks j from 1 on is what was put in since, grown.
			sum += before[i]*math.Exp(grown) + put*math.Exp(r)*math.Expm1(grown)/math.Expm1(r)
		}
		return sum/(2*detectorBets) >= runLength
	})
	// The logarithm of the best bet has a variance of about twice its growth, so that its first passage is inverse Gaussian with the
	// ratio height/2 of shape to mean, and a median of about height/(height + 1) of the mean.
	height := max(1, math.Log(runLength/begun))
	return blocks * height / (height + 1) * blockLength(wanted, n.ShareGroup) * waitingCost
}

// solve finds the least positive number from which on enough holds, infinity if that is beyond mostNeeded.
func solve(enough func(float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for !enough(hi) {
		if lo, hi = hi, 2*hi; hi > mostNeeded {
			return math.Inf(1)
		}
	}
	for hi-lo > 1e-6*hi {
		if middle := (lo + hi) / 2; enough(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return hi
}

// waitingCost is by what parts that wait, and blocks that count in one order alone, lengthen the way to an alarm: about the middle of what
// TestNeedsAgreeWithSimulation measures.
const waitingCost = 1.1

// blockLength is the mean number of records that come for one block. No record is lost, so the side that takes longer to fill its part of a
// block decides.
func blockLength(wanted [2]int64, share float64) float64 {
	return max(float64(wanted[0])/share, float64(wanted[1])/(1-share))
}

// growth is the mean logarithm of a bet's factor in blocks of so many records, for both sides' rates.
func growth(lambda, sign, tau float64, rates [2]float64, wanted [2]int64) float64 {
	sum := 0.0
	for k1 := range wanted[0] + 1 {
		for k0 := range wanted[1] + 1 {
			difference := float64(k1)/float64(wanted[0]) - float64(k0)/float64(wanted[1])
			sum += float64(chance(wanted[0], k1, rates[0]) * chance(wanted[1], k0, rates[1]) * math.Log1p(lambda*(float64(sign*difference)-tau)))
		}
	}
	return sum
}

// chance is the probability of k successes in n ≤ 40 trials.
func chance(n, k int64, p float64) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
}
