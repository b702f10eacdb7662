package fairness

// Detector raises an alarm when the difference of two rates leaves [−tau, tau], or when their ratio falls below tau, at any time and
// however long it was within: a mixture of Shiryaev–Roberts e-detectors (Shin, Ramdas and Rinaldo, arXiv 2203.03532).
//
// The decisions of both sides are gathered in blocks. A block takes two records of the smaller side and up to 40 of the larger
// one, in proportion to the records before it, and gives their difference of means D, in [−1, 1]. Each of five bets λ on either
// sign then collects evidence
//
//	M ← (M + w) (1 + λ (±D − tau))
//
// where w is the number of records in the block, known when it begins. Of a ratio, the brackets are tau times the mean of one side minus
// that of the other. While the true difference is within [−tau, tau], the
// factor is at most 1 in expectation. The records between the start and an alarm at the threshold A, which only count those of the two
// sides that meet the condition, are therefore at least A in the mean: A is the run length. Evidence is the mean of all ten.
//
// The fields are exported for a codec. A Detector that is zero has seen nothing.
type Detector struct {
	Bets [2 * detectorBets]float64 // M for the group favoured, then for versus favoured
	Blocks
	Positives [2]int64 // in the block
}

const detectorBets = 5

// detectorLambda are the bets. A small one is best for a difference just beyond tau, a large one for a sudden change.
var detectorLambda = [detectorBets]float64{0.05, 0.15, 0.3, 0.6, 0.9}

// Add counts one decision on a side. It says whether a block ended: only then the evidence changes. Sides other than Group and
// Versus are ignored.
func (d *Detector) Add(side Side, positive bool, c *Comparison) bool {
	i, taken := d.take(side)
	if !taken {
		return false
	}
	if positive {
		d.Positives[i]++
	}
	if !d.full() {
		return false
	}
	d.close(c)
	return true
}

// close bets on the difference of a full block, and begins the next.
func (d *Detector) close(c *Comparison) {
	group, versus := float64(d.Positives[0])/float64(d.Wanted[0]), float64(d.Positives[1])/float64(d.Wanted[1])
	gains := [2]float64{group - versus - c.Tau, versus - group - c.Tau}
	if c.Criterion.OfRatio() {
		gains = [2]float64{float64(c.Tau*group) - versus, float64(c.Tau*versus) - group}
	}
	records := float64(d.Wanted[0] + d.Wanted[1])
	for i := range detectorLambda {
		lambda := stake(i, c)
		d.Bets[i] = bet(d.Bets[i]+records, lambda, gains[0])
		d.Bets[i+detectorBets] = bet(d.Bets[i+detectorBets]+records, lambda, gains[1])
	}
	d.Positives = [2]int64{}
	d.next()
}

// stake is a bet, but for a large tau less: a block loses at most 1 + tau of a difference, and evidence must not become negative.
func stake(i int, c *Comparison) float64 {
	if c.Criterion.OfRatio() {
		return detectorLambda[i]
	}
	return min(detectorLambda[i], 0.99/(1+c.Tau))
}

// MostEvidence bounds the evidence of each bet, so that it stays finite if nobody restarts the detector.
const MostEvidence = 1e50

func bet(evidence, lambda, gain float64) float64 {
	return min(MostEvidence, evidence*(1+float64(lambda*gain)))
}

// Evidence is what is compared with the run length.
func (d *Detector) Evidence() float64 { return mixture(&d.Bets) }

// mixture is the mean evidence of all bets.
func mixture(bets *[2 * detectorBets]float64) float64 {
	sum := 0.0
	for _, m := range bets {
		sum += m
	}
	return sum / (2 * detectorBets)
}

// Restart forgets the evidence, as after an alarm, and continues the present block.
func (d *Detector) Restart() { d.Bets = [2 * detectorBets]float64{} }

// Valid says whether a Detector that was read from somewhere can be one: its blocks hold no more than they want.
func (d *Detector) Valid() bool {
	return possible(&d.Bets) && d.valid() && min(d.Positives[0], d.Positives[1]) >= 0 && d.Positives[0] <= d.Taken[0] && d.Positives[1] <= d.Taken[1]
}

// possible says whether all evidence is within its bounds.
func possible(bets *[2 * detectorBets]float64) bool {
	for _, m := range bets {
		if !(m >= 0 && m <= MostEvidence) {
			return false
		}
	}
	return true
}
