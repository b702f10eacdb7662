package control

import "github.com/fairstream/fairstream/pkg/linear"

const (
	// hingePull is how much a push pulls margins back, for a multiplier of 1: a margin that reaches the hinge of its
	// relaxation is pushed no more.
	hingePull = .5
	// refreshPerRecord is for how many records, and for each enforced comparison, margins are computed again for
	// each record learnt; up to mostRefreshed while the windows are not as long as refreshTurn together, so that
	// on a short stream, too, they are those of today's models.
	refreshPerRecord = 1.0
	mostRefreshed    = 4.0
	refreshTurn      = 16384.0
	// earliest is the least share of records that are taken to have come before one.
	earliest = .01
)

// refreshShare is how many records of each window are refreshed before a choice that comes so many records after the
// last one.
func refreshShare(windows [][2]*window, interval int64) int {
	turn := 1
	for _, sides := range windows {
		turn = max(turn, sides[0].steady+sides[1].steady)
	}
	rate := min(mostRefreshed, max(refreshPerRecord, refreshTurn/float64(turn)))
	return max(1, int(rate*float64(interval)/2))
}

// refresh computes the margins of the next few records again, less what they owe to having been learnt. scratch has room
// for one row's.
func (w *window) refresh(models Models, influence *linear.Influence, scratch *linear.Margins, records int) {
	for range min(records, len(w.rows)) {
		if w.stale >= len(w.rows) {
			w.stale = 0
		}
		row := &w.rows[w.stale]
		models.Margins(scratch, row)
		own := influence.Of(row, w.before(w.stale))
		for k, g := range w.gradients[w.stale*w.models : (w.stale+1)*w.models] {
			scratch.Average[k] += float64(own * float64(g))
		}
		w.setMargins(w.stale, scratch.Average)
		w.stale++
	}
}

// before is the share of the records that the window ever had that had come when the one in a slot did. Of a side
// it takes the share of all records for constant.
func (w *window) before(slot int) float64 {
	return max(earliest, 1-(float64(w.age(slot))+.5)/float64(w.seen))
}
