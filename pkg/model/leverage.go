package model

import "math"

// What a margin owes to its own record.
//
// Margins that are computed anew after their records were learnt from are those of records the model has seen:
// they say how fair it is on these, not on the next. So a record's own influence is taken out of them, as in an
// approximate leave-one-out (Rad and Maleki, J. R. Stat. Soc. B 82, 2020):
//
//	margin_k += leverage · g_k
//
// g_k is the gradient of the record's loss in the margin of model k when it was learnt, after a share v of the
// records. The step of AdaGrad moved weight j by s·g·x_j/√(v·G_j), s being the step size and G_j what curvature has
// become since: it grows with the records. Two things happened to that:
//
//   - Later records pull it back: after a share u of them exp(−c_j·(√u − √v)) of it is left, with
//     c_j = 2s·(together·H_j + precision_j)/√G_j, H_j being the part of G_j that pulls.
//   - Published is an average over u, with weights that grow like u^(q−1): q is the records divided by the length of
//     the average.
//
// With taken = 1 − v^q, the share of the average that came after the record, E the mean of √u − √v over it,
// tail = q·v^q/√v·E and y = c_j·E,
//
//	leverage = Σ_j x_j²·s/√(v·G_j) · (taken + tail·y) / (1 + y + y²/2)
//
// The fraction is the exact average where y is small, and where it is large; between, it is close to it.
//
// Curvature stops growing when a weight has been touched as often as forgetting allows, F. From then on what pulls
// it back is more than c_j, by its touches divided by F. These are not counted, and lie between F and the records;
// where curvature is full, half the geometric mean is taken for them, once that is more than F.

const (
	// together is how many of a row's weights pull back what one of them was moved: a number's fine and coarse bins
	// stand for much the same, and every row has the intercept. With it and with hingePull the leverage is that
	// of learning once more without the record: TestLeverageIsThatOfLeavingOneOut.
	together = 2.0
	// hingePull is how much a relaxation pulls back, for a reference of 1: a margin that reaches its hinge is pushed no
	// more.
	hingePull = .5
	// refreshPerRecord is for how many records, and for each enforced comparison, margins are computed anew for
	// each record learnt; up to mostRefreshed while the windows are not as long as refreshTurn together, so that
	// on a short stream, too, they are those of today's models.
	refreshPerRecord = 1.0
	mostRefreshed    = 4.0
	refreshTurn      = 16384.0
	// earliest is the least share of records that are taken to have come before one.
	earliest = .01
)

// refreshShare is how many records of each side are refreshed before a choice.
func (a *adaptive) refreshShare(windows [][2]*window) int {
	turn := 1
	for _, i := range a.enforced {
		turn = max(turn, windows[i][0].steady+windows[i][1].steady)
	}
	rate := min(mostRefreshed, max(refreshPerRecord, refreshTurn/float64(turn)))
	return max(1, int(rate*float64(a.interval)/2))
}

// refresh computes some margins anew in every window whose records the choice will read.
func (a *adaptive) refresh(windows [][2]*window) {
	share := a.refreshShare(windows)
	for _, i := range a.enforced {
		for _, w := range windows[i] {
			w.refresh(a, share)
		}
	}
	a.everyone.refresh(a, share/4)
}

// refresh computes the margins of the next few records anew.
func (w *window) refresh(a *adaptive, records int) {
	now := a.influence()
	for range min(records, len(w.rows)) {
		if w.stale >= len(w.rows) {
			w.stale = 0
		}
		row := &w.rows[w.stale]
		a.averages(row)
		leverage := a.leverage(row, w.before(w.stale), now)
		for k, g := range w.gradients[w.stale*w.models : (w.stale+1)*w.models] {
			a.average[k] += float64(leverage * float64(g))
		}
		w.setMargins(w.stale, a.average)
		w.stale++
	}
}

// before is v: the share of the records that the window ever had that had come when the one in a place did. Of a side
// it takes the share of all records for constant.
func (w *window) before(place int) float64 {
	return max(earliest, 1-(float64(w.age(place))+.5)/float64(w.seen))
}

// influence is what the leverages of all records have in common at a time.
type influence struct {
	step     float64 // s
	pulling  float64 // H_j/G_j, times together
	averages int     // q
	full     float64 // curvature that grows no more
	more     float64 // by how much pull is more where it is full
}

func (a *adaptive) influence() influence {
	// A whole number, so that the power is made of products alone and has the same bits on every machine.
	q := math.Round(a.records * max(1/a.averaging, 1/(1+a.records/earlyAveraging)))
	pulls, squares := a.pulls()
	return influence{step: a.stepSize(), pulling: together * pulls / squares, averages: int(min(max(1, q), math.MaxInt32)),
		full: a.forgetting * squares, more: max(0, math.Sqrt(a.records/a.forgetting)/2-1)}
}

// leverage is how far learning the row moved its own margin, for a gradient of 1. before is v.
func (a *adaptive) leverage(row *Row, before float64, now influence) float64 {
	q, root, power := float64(now.averages), math.Sqrt(before), wholePower(before, now.averages)
	taken := 1 - power
	mean := q*(1-float64(power*root))/((q+.5)*taken) - root
	tail := q * power / root * mean
	sum := 0.0
	if a.models == 2 && len(row.Value) == 0 {
		weights := a.weightsOfTwo()
		for _, j := range row.Index {
			sum += now.left(taken, tail, mean, weights[j][curvatureAt], weights[j][precisionAt])
		}
	} else {
		for at, j := range row.Index {
			x := row.At(at)
			numbers := a.values[int(j)*a.stride:]
			sum += float64(x * x * now.left(taken, tail, mean, numbers[curvatureAt], numbers[precisionAt]))
		}
	}
	return 2 * now.step / root * sum
}

// left is (taken + tail·y) / (2√G·(1 + y + y²/2)), multiplied out to take one root and one division.
func (now *influence) left(taken, tail, mean, curvature, precision float64) float64 {
	root := math.Sqrt(curvature)
	y := float64(2 * now.step * mean * (float64(now.pulling*curvature) + precision)) // times √G
	if now.more > 0 {
		y = float64(y * (1 + float64(now.more*min(1, curvature/now.full))))
	}
	return (float64(taken*root) + float64(tail*y)) / (float64(2*curvature) + float64(y*(float64(2*root)+y)))
}

// wholePower is x to the power of n.
func wholePower(x float64, n int) float64 {
	power := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power *= x
		}
		x *= x
	}
	return power
}

// pulls returns what a record adds to curvature on average, and what of that pulls back. The mean square of the loss's
// gradient is its curvature, where probabilities are right (Fisher); that of a relaxation is its reference's square,
// and pulls back as far as margins are near its hinge.
func (a *adaptive) pulls() (pulls, squares float64) {
	models := float64(a.models)
	for k := range a.pressures {
		reference := a.pressures[k].reference
		pulls += float64(hingePull * reference)
		squares += float64(reference * reference)
	}
	return a.squaredError + pulls/models, a.squaredError + squares/models
}
