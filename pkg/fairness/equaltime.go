package fairness

import (
	"fmt"
	"math"
)

// MethodPairedSequence is the confidence sequence of a difference at equal time.
const MethodPairedSequence = "asymptotic-confidence-sequence-of-paired-records"

// Differences are those of the blocks of a Detector since its first record, alarms or not. They say how the two sides differ at equal
// time, where the rates of all records so far also move with the shares of the sides.
type Differences struct {
	Blocks  int64
	Records [2]int64 // of each side, in blocks
	Mean    float64
	Squares float64 // Σ (difference − mean)²
}

func (d *Differences) add(b *block) {
	d.Blocks++
	d.Records[0] += b.group.Wanted
	d.Records[1] += b.versus.Wanted
	off := b.difference() - d.Mean
	d.Mean += off / float64(d.Blocks)
	d.Squares += float64(off * (b.difference() - d.Mean))
}

// fewestBlocks is how many blocks a sequence of their differences needs.
const fewestBlocks = 20

// AtEqualTime is the confidence sequence of the mean difference of a detector's blocks: with the probability Level, the mean over the
// blocks so far of the true difference of each lies within [Lo, Hi] at all looks at once. The two sides of a block are of about the same
// time, so a share that moves together with the rates of both sides makes no difference. group and versus are all decisions of the two
// sides, of which it needs as many as Sequence.
//
// It is the asymptotic sequence of Sequence, with the same clock, for the mean D̄ of n differences of which s² is the variance: D̄ has the
// variance s²/n. s² is at least what two pseudo-decisions of either kind on each side give, so that a few blocks without a
// positive decision are no certainty. A ratio, a mean difference and a comparison within strata have none.
func (c Comparison) AtEqualTime(d *Differences, group, versus Trials, o SequenceOptions) Sequence {
	s := c.Sequence(group, versus, SequenceOptions{Level: o.Level})
	s.Method, s.NGroup, s.NVersus = MethodPairedSequence, d.Records[0], d.Records[1]
	absent := math.NaN()
	switch {
	case s.Status == NotEstimable:
	case c.Criterion.OfRatio():
		s.Reason = "the impact ratio has no difference at equal time: its verdict comes from the totals"
	case d.Blocks < fewestBlocks:
		s.Reason = fmt.Sprintf("%d of %d blocks with records of both sides have come", d.Blocks, fewestBlocks)
	default:
		n1, n0, blocks := float64(d.Records[0]), float64(d.Records[1]), float64(d.Blocks)
		variance := d.Squares/(blocks-1)/blocks + 2/((n1+4)*(n1+4)) + 2/((n0+4)*(n0+4))
		half := sequenceHalf(n1*n0/(n1+n0), variance, 1-o.Level)
		s.Value, s.Lo, s.Hi = d.Mean, max(-1, d.Mean-half), min(1, d.Mean+half)
		s.Status = c.verdict(s.Lo, s.Hi)
		return s
	}
	s.Value, s.Lo, s.Hi, s.Status = absent, absent, absent, NotEstimable
	return s
}

// Valid says whether differences that were read from somewhere can be.
func (d *Differences) Valid() bool {
	n := float64(d.Blocks)
	return d.Blocks >= 0 && min(d.Records[0], d.Records[1]) >= d.Blocks && max(d.Records[0], d.Records[1]) <= blockLarger*d.Blocks &&
		math.Abs(d.Mean) <= 1+1e-9 && d.Squares >= 0 && d.Squares <= float64(4*n)+1
}
