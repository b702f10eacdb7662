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
	// Seen is how many records of the group and of versus there were before the block; the rest is about the block.
	Seen      [2]int64
	Wanted    [2]int64
	Taken     [2]int64
	Positives [2]int64
	Block     [2]int64 // records since the block began, those above Wanted too
}

const detectorBets = 5

// detectorLambda are the bets. A small one is best for a difference just beyond tau, a large one for a sudden change.
var detectorLambda = [detectorBets]float64{0.05, 0.15, 0.3, 0.6, 0.9}

// blockSmaller and blockLarger are the records of the smaller side in a block, and the most of the larger one. With one record of
// the smaller side more of the others would be passed over; with more than two a change would have to wait for the block's end.
const (
	blockSmaller = 2
	blockLarger  = 40
)

// Add counts one decision on a side. It says whether a block ended: only then the evidence changes. Sides other than Group and
// Versus are ignored.
func (d *Detector) Add(side Side, positive bool, c *Comparison) bool {
	i := 0
	switch side {
	case Group:
	case Versus:
		i = 1
	default:
		return false
	}
	d.Block[i]++
	if d.Wanted[i] == 0 {
		d.Wanted = blockOf(d.Seen)
	}
	if d.Taken[i] == d.Wanted[i] {
		return false
	}
	d.Taken[i]++
	if positive {
		d.Positives[i]++
	}
	if d.Taken != d.Wanted {
		return false
	}
	d.close(c)
	return true
}

// blockOf is how many records a block takes of each side, by those seen before.
func blockOf(seen [2]int64) (wanted [2]int64) {
	wanted = [2]int64{blockSmaller, blockSmaller}
	larger, smaller := 0, 1
	if seen[1] > seen[0] {
		larger, smaller = 1, 0
	}
	if few := seen[smaller]; few > 0 {
		wanted[larger] = min(blockLarger, (2*blockSmaller*seen[larger]+few)/(2*few))
	}
	return wanted
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
	d.Seen[0] += d.Block[0]
	d.Seen[1] += d.Block[1]
	d.Block, d.Wanted, d.Taken, d.Positives = [2]int64{}, [2]int64{}, [2]int64{}, [2]int64{}
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
func (d *Detector) Evidence() float64 {
	sum := 0.0
	for _, m := range d.Bets {
		sum += m
	}
	return sum / (2 * detectorBets)
}

// Restart forgets the evidence, as after an alarm, and continues the present block.
func (d *Detector) Restart() { d.Bets = [2 * detectorBets]float64{} }

// Valid says whether a Detector that was read from somewhere can be one: its blocks hold no more than they want.
func (d *Detector) Valid() bool {
	for _, m := range d.Bets {
		if !(m >= 0 && m <= MostEvidence) {
			return false
		}
	}
	for i := range d.Seen {
		if d.Seen[i] < 0 || d.Positives[i] < 0 || d.Taken[i] < d.Positives[i] || d.Wanted[i] < d.Taken[i] || d.Block[i] < d.Taken[i] ||
			d.Seen[i] > 1<<60 || d.Wanted[i] > blockLarger {
			return false
		}
	}
	begun, full := d.Wanted != [2]int64{}, d.Taken == d.Wanted
	return begun != full && (d.Wanted[0] > 0) == (d.Wanted[1] > 0) && (begun || d.Block == [2]int64{})
}
