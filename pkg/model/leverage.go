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
// g_k is the gradient of the record's loss in the margin of model k when it was learnt. A step of AdaGrad moves
// weight j by s·g·x_j/√G_j, s being the step size; later records pull it back by exp(−2s(√G_now − √G_then)).
// Averaged over when the step was, what is left of it lies between s/√G, for a weight hardly seen, and 1/(G +
// precision), the leverage in the batch optimum, for one often seen.

const (
	// overlap is the share of a row's weights that are alone in what they stand for: a number has a fine and a
	// coarse bin, and may have a weight for the value itself.
	overlap = .5
	// refreshPerRecord is for how many records, and for each enforced comparison, margins are computed anew for
	// each record learnt; up to mostRefreshed while the windows are not as long as refreshTurn together, so that
	// on a short stream, too, they are those of today's models.
	refreshPerRecord = 1.0
	mostRefreshed    = 4.0
	refreshTurn      = 16384.0
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
	for range min(records, len(w.rows)) {
		if w.stale >= len(w.rows) {
			w.stale = 0
		}
		row := &w.rows[w.stale]
		a.averages(row)
		leverage := a.leverage(row)
		for k, g := range w.gradients[w.stale*w.models : (w.stale+1)*w.models] {
			a.average[k] += float64(leverage * float64(g))
		}
		w.setMargins(w.stale, a.average)
		w.stale++
	}
}

// leverage is how far learning the row moved its own margin, for a gradient of 1.
func (a *adaptive) leverage(row *Row) float64 {
	sum, step := 0.0, 2*a.stepSize()
	if a.models == 2 && len(row.Value) == 0 {
		weights := a.weightsOfTwo()
		for _, j := range row.Index {
			curvature, precision := weights[j][curvatureAt], weights[j][precisionAt]
			sum += step / (math.Sqrt(curvature) + float64(step*(curvature+precision)))
		}
		return overlap * sum
	}
	for i, j := range row.Index {
		x := row.value(i)
		numbers := a.values[int(j)*a.stride:]
		curvature, precision := numbers[curvatureAt], numbers[precisionAt]
		sum += float64(float64(x*x)*step) / (math.Sqrt(curvature) + float64(step*(curvature+precision)))
	}
	return overlap * sum
}
