package release

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
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

// mostOff bounds an error, in units of the label, so that the sums stay finite.
const mostOff = 1e12

func bounded(off float64) float64 {
	if !(off > -mostOff && off < mostOff) { // nor not a number
		return math.Copysign(mostOff, off)
	}
	return off
}

// means are the predictions of a version for both sides of a comparison of means.
type means struct {
	sides   [2]pair // whose difference is the prediction itself
	unknown int64
}

func (k *means) add(side fairness.Side, prediction float64) {
	switch side {
	case fairness.Group, fairness.Versus:
		k.sides[side-fairness.Group].add(bounded(prediction))
	case fairness.Unknown:
		k.unknown++
	}
}

func (k *means) difference() float64 { return k.sides[0].mean - k.sides[1].mean }

// fewest is how many records the smaller side has.
func (k *means) fewest() int64 { return min(k.sides[0].records, k.sides[1].records) }

// interval is the confidence sequence of the mean difference: that of pair.interval, with the variance of a difference of two means. Both sides
// have at least two records.
func (k *means) interval(level float64) (value, lo, hi float64) {
	variance, records := 0.0, 0.0
	for _, p := range k.sides {
		n := float64(p.records)
		variance += p.squares / (n - 1) / n
		records += n
	}
	value = k.difference()
	half := sequenceHalf(records, variance*records, level)
	return value, value - half, value + half
}

// The largest probability of a decision by which log loss is counted is 1 − leastProbability: one record that a version is certain about,
// and wrong, must not decide.
const leastProbability = 0.001

func logLoss(probability float64, label bool) float64 {
	if !label {
		probability = 1 - probability
	}
	if !(probability >= leastProbability) { // nor not a number
		probability = leastProbability
	}
	return -math.Log(min(probability, 1-leastProbability))
}

// outcome is what one version lost on one record.
type outcome struct{ loss, wrong float64 }

// rival is what a candidate is compared with, record by record: another version, or the better constant.
type rival struct {
	version Version // zero for the constant
	loss    pair    // log losses, or squared errors: see lost
	wrong   pair    // wrong decisions, 0 or 1
	scale   pair    // squared errors of the rival
}

// add compares what a candidate and the rival lost on a record that stands for so many. Where labels depend on records, the differences of those
// that have one are multiplied by the inverse probability of it, and their mean is that of all records (Horvitz and Thompson, JASA 47, 1952,
// pp. 663–685); a sequence of it is as valid, and wider.
func (v *rival) add(candidate, other outcome, weight float64) {
	v.loss.add(float64(weight * (candidate.loss - other.loss)))
	v.wrong.add(float64(weight * (candidate.wrong - other.wrong)))
	v.scale.add(float64(weight * other.loss))
}

// The sizes of the unseen differences: see pair.interval. They are about the largest that there are, since a log loss differs by up to 6.9. Squared errors have no
// largest difference, and theirs is in units of their mean.
const (
	unseenLoss  = 6
	unseenWrong = 1
)

// constant decides all records alike, by the labels before: it gives each record the share of positive labels as its probability, or
// their mean as its prediction.
type constant struct {
	labels int64
	sum    float64
}

// decide is its decision before a label is known.
func (k *constant) decide(regression bool) Decision {
	if regression {
		return Decision{Known: true, Score: k.sum / float64(max(1, k.labels))}
	}
	p := (k.sum + 0.5) / float64(k.labels+1)
	return Decision{Known: true, Positive: p > 0.5, Score: p}
}

func (k *constant) add(r *Record, regression bool) {
	k.labels++
	switch {
	case regression:
		k.sum += bounded(r.Target)
	case r.Label:
		k.sum++
	}
}

// fewest is how many decisions there are of the rarer kind.
func fewest(t fairness.Trials) int64 { return min(t.Positives, t.Records-t.Positives) }

// mostNeeded is a number of records that nobody waits for.
const mostNeeded = 1e10

// needed is about how many more records of the stream a comparison takes to a verdict, if rates and shares stay as they are; NaN if
// that is not known. fairness.Needs.Verdict would be closer, and is too slow for a report on many comparisons.
func needed(c fairness.Comparison, seen monitor.Seen, level float64, observed int64) float64 {
	if c.Criterion.OfRatio() || !(c.Tau > 0 && c.Tau < 1) {
		return math.NaN()
	}
	both := float64(seen.Group.Records + seen.Versus.Records)
	needs := fairness.Needs{RateGroup: float64(seen.Group.Positives) / float64(seen.Group.Records),
		RateVersus: float64(seen.Versus.Positives) / float64(seen.Versus.Records), ShareGroup: float64(seen.Group.Records) / both, Tau: c.Tau}
	room := math.Abs(c.Tau - math.Abs(needs.RateGroup-needs.RateVersus))
	for n := both; n < mostNeeded; n *= 1.05 {
		if needs.HalfWidth(n, level) < room {
			return more((n - both) * float64(observed) / both)
		}
	}
	return math.NaN()
}

// neededLabels is how many more labels a loss takes to a verdict, if its mean stays so far from the limit.
func neededLabels(room, variance, level float64, records int64) float64 {
	for n := float64(max(1, records)); n < mostNeeded; n *= 1.05 {
		if sequenceHalf(n, variance, level) < math.Abs(room) {
			return more(n - float64(records))
		}
	}
	return math.NaN()
}

// neededMeans is about how many more records of the stream the gate takes.
func neededMeans(g *Gate, observed int64) float64 {
	room := math.Abs(g.Limit - math.Abs(g.Value))
	half := (g.Hi - g.Lo) / 2
	// The half width falls about as the square root of the number of records.
	return more(float64(observed) * (half*half/(room*room) - 1))
}

func more(records float64) float64 {
	if !(records > 0 && records < mostNeeded) {
		return math.NaN()
	}
	return math.Ceil(records)
}

// count codes a number that only grows, and leaves it room to.
func count(c *codec.Coder, n *int64) {
	c.Count(n)
	c.Check(*n <= 1<<60)
}

// mostMean is beyond what a mean of losses, or a sum of labels, can come to: see mostOff.
const mostMean = 1e40

func (p *pair) fields(c *codec.Coder) {
	count(c, &p.records)
	c.Within(&p.mean, mostMean)
	c.Sum(&p.squares)
}

func (k *means) fields(c *codec.Coder) {
	k.sides[0].fields(c)
	k.sides[1].fields(c)
	count(c, &k.unknown)
}
