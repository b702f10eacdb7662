package fairness

// Detector raises an alarm when the difference of two rates leaves [−tau, tau], or when their ratio falls below tau, at any time and
// however long it was within: a mixture of Shiryaev–Roberts e-detectors (Shin, Ramdas and Rinaldo, arXiv 2203.03532).
//
// The decisions of both sides are paired in blocks. A block has two records of the smaller side and up to 40 of the larger
// one, in proportion to the records before it, and gives their difference of means D, in [−1, 1]. Each of five bets λ on either
// sign then collects evidence
//
//	M ← (M + w) (1 + λ (±D − tau))
//
// where w is the number of records in the block. Of a ratio, the brackets are tau times the mean of one side minus
// that of the other. While the true difference is within [−tau, tau], the
// factor is at most 1 in expectation. The records between the start and an alarm at the threshold A, which only count those of the two
// sides that meet the condition, are therefore at least A in the mean: A is the run length. Bets says what keeps this so when the rates of
// both sides move.
//
// The fields are exported for a codec. A Detector that is zero has seen nothing.
type Detector struct {
	Bets
	Blocks
	Differences Differences
}

// Add counts one decision on a side. It says whether a block ended: only then the evidence changes. Sides other than Group and
// Versus are ignored.
func (d *Detector) Add(side Side, positive bool, c *Comparison) bool {
	value := 0.0
	if positive {
		value = 1
	}
	b, complete := d.add(side, value)
	if !complete {
		return false
	}
	d.Differences.add(&b)
	group, versus := b.group.mean(), b.versus.mean()
	gains := [2]float64{group - versus - c.Tau, versus - group - c.Tau}
	if c.Criterion.OfRatio() {
		gains = [2]float64{float64(c.Tau*group) - versus, float64(c.Tau*versus) - group}
	}
	d.collect(&b, gains, largestBet(c))
	return true
}

// largestBet bounds bets: a block loses at most 1 + tau of a difference, and evidence must not become negative.
func largestBet(c *Comparison) float64 {
	if c.Criterion.OfRatio() {
		return 1
	}
	return 0.99 / (1 + c.Tau)
}

// Valid says whether a Detector that was read from somewhere can be one.
func (d *Detector) Valid() bool { return d.possible() && d.valid(1) && d.Differences.Valid() }
