package fairness

// Bets is the evidence of a detector: for both orders in time, that of each bet on the group and then of each bet on versus.
//
// The records of a block came at different times, and what moves the rates of both sides alike moves the difference of the block: if rates
// rise, the later side has the higher rate. So blocks whose parts are further apart than nearby records count for one order alone: that in
// which the group comes later, or that in which versus does. While rates move one way, however fast, the blocks of one of the orders can only
// understate a difference. The evidence of a direction is therefore the smaller one of both orders. Blocks with less between their parts
// count for both.
type Bets [2][2 * detectorBets]float64

const detectorBets = 5

// detectorLambda are the bets. A small one is best for a difference just beyond tau, a large one for a sudden change.
var detectorLambda = [detectorBets]float64{0.05, 0.15, 0.3, 0.6, 0.9}

// nearby is how many records the parts of a block may be apart for it to count in both orders.
const nearby = 500

// MostEvidence bounds the evidence of each bet, so that it stays finite if nobody restarts the detector.
const MostEvidence = 1e50

// collect has every bet collect the gains of a block, on the group and on versus. No bet is above most.
func (b *Bets) collect(from *block, gains [2]float64, most float64) {
	records, later := from.records(), from.later()
	for order := range b {
		if order == 0 && later < -nearby || order == 1 && later > nearby {
			continue
		}
		for i, lambda := range detectorLambda {
			lambda = min(lambda, most)
			for k, gain := range gains {
				m := &b[order][k*detectorBets+i]
				*m = bet(*m+records, lambda, gain)
			}
		}
	}
}

func bet(evidence, lambda, gain float64) float64 {
	return min(MostEvidence, evidence*(1+float64(lambda*gain)))
}

// Evidence is what is compared with the run length: the mean of all bets, in the order that has less for their direction.
func (b *Bets) Evidence() float64 {
	sum := 0.0
	for k := range 2 {
		var orders [2]float64
		for order := range b {
			for _, m := range b[order][k*detectorBets : (k+1)*detectorBets] {
				orders[order] += m
			}
		}
		sum += min(orders[0], orders[1])
	}
	return sum / (2 * detectorBets)
}

// Restart forgets the evidence, as after an alarm. Records that wait go on waiting.
func (b *Bets) Restart() { *b = Bets{} }

// possible says whether all evidence is within its bounds.
func (b *Bets) possible() bool {
	for order := range b {
		for _, m := range b[order] {
			if !(m >= 0 && m <= MostEvidence) {
				return false
			}
		}
	}
	return true
}
