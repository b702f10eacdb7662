package control

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// window is the most recent records of one side of an enforced comparison, or of everyone, by their slots in the memory.
// Every side has a window of its own, so a group of one per cent is measured on as many records as its
// counterpart; only older ones.
type window struct {
	memory   *memory
	capacity int
	slots    []int32
	weights  []float32 // of the records, in this comparison
	others   int       // weights other than 1
	next     int       // where the next record goes, once full
	seen     int       // records pushed so far
	steady   int       // how many of the newest records the interpolation is chosen from
}

// The margins of the very first records are those of models that had hardly learnt: the interpolation is chosen
// from the newest matureShare of what a side has brought, once that is more than leastSteady records.
const (
	matureShare = .75
	leastSteady = 256
)

func newWindow(capacity int, of *memory) *window {
	return &window{capacity: capacity, memory: of}
}

func (w *window) len() int { return len(w.slots) }

// yield lets a full window go of its oldest record, for the new one that push is to bring next.
func (w *window) yield() {
	if len(w.slots) == w.capacity {
		w.memory.release(w.slots[w.next])
	}
}

// push adds the record of a slot in place of the one that yield let go of.
func (w *window) push(slot int32, weight float32) {
	w.memory.holders[slot]++
	w.others += other(weight)
	if len(w.slots) < w.capacity {
		w.slots, w.weights = append(w.slots, slot), append(w.weights, weight)
	} else {
		w.others -= other(w.weights[w.next])
		w.slots[w.next], w.weights[w.next] = slot, weight
		w.next++
		if w.next == w.capacity {
			w.next = 0
		}
	}
	w.seen++
	w.steady = min(w.steady+1, Measured(w.seen, w.capacity))
}

// Measured is how many records of a side the present decisions are counted on, of so many that the side has brought.
func Measured(records, window int) int {
	return min(records, window, max(leastSteady, int(matureShare*float64(records))))
}

// drop lets go of all records but the newest ones.
func (w *window) drop(newest int) {
	old := w.len() - newest
	w.slots, w.weights = lead(w.slots, w.next), lead(w.weights, w.next)
	for _, slot := range slices.Backward(w.slots[:old]) { // the oldest last, which is given away first
		w.memory.release(slot)
	}
	w.slots, w.weights = slices.Delete(w.slots, 0, old), slices.Delete(w.weights, 0, old)
	w.next, w.steady = 0, newest
	w.countOthers()
}

// other is 1 for a weight other than 1.
func other(weight float32) int {
	if weight != 1 {
		return 1
	}
	return 0
}

func (w *window) countOthers() {
	w.others = 0
	for _, weight := range w.weights {
		w.others += other(weight)
	}
}

// lead rotates a ring in place, so that the value at a place comes first.
func lead[T any](ring []T, first int) []T {
	slices.Reverse(ring[:first])
	slices.Reverse(ring[first:])
	slices.Reverse(ring)
	return ring
}

// place returns where in slots the record of the given age is, 0 being the newest.
func (w *window) place(age int) int {
	i := w.next - 1 - age // next is 0 while there is room
	if i < 0 {
		i += len(w.slots)
	}
	return i
}

// slot returns the slot of the record of the given age, and its weight.
func (w *window) slot(age int) (slot int, weight float64) {
	at := w.place(age)
	return int(w.slots[at]), float64(w.weights[at])
}

// cameAt is how many records had been learnt when the record of the given age came.
func (w *window) cameAt(age int) float64 { return w.memory.came[w.slots[w.place(age)]] }

// find returns the slot of the record with a number, if the window holds it. The window must be one that records go into
// when they come, so that their order never falls.
func (w *window) find(number int64) (slot int32, found bool) {
	oldest := len(w.slots) - 1
	after, found := sort.Find(len(w.slots), func(i int) int {
		return cmp.Compare(2*number, w.memory.order[w.slots[w.place(oldest-i)]])
	})
	if !found {
		return 0, false
	}
	return w.slots[w.place(oldest-after)], true
}

// countAt counts the decisions that the steady records of a window would get.
func countAt(w *window, interpolation []float64, shift float64) (n fairness.Count) {
	for age := range w.steady {
		slot, weight := w.slot(age)
		n.Add(combineSingle(w.memory.at(slot), 1, interpolation)+shift > 0, weight)
	}
	return n
}

// countDecided counts the decisions that the memory was told to make of the steady records of a window.
func countDecided(w *window) (n fairness.Count) {
	for age := range w.steady {
		slot, weight := w.slot(age)
		n.Add(w.memory.decided[slot] > 0, weight)
	}
	return n
}

// When the records have changed.
//
// The newest records of both sides are compared with the older ones. Where chance hardly ever makes their decisions differ so much, older records
// are dropped (curve.go). Several such changes, or a smaller one that is still going on, are told in a document.

const (
	// changeSigma is how many standard errors the newest records must differ from the older ones
	// before the older ones are dropped, of a single comparison. The test runs at every choice, on a handful of
	// window lengths.
	changeSigma = 4.5
	// driftSigma is the same for the newer half against the older one. Halving too often costs a single comparison little.
	driftSigma = 3.0
	// movingSigma is how many standard errors the newest records of both sides have to be decided differently from the older ones, of a single
	// comparison, for the difference to be moving; movingAgain how many if older ones were dropped of late and it still goes the same way, as in
	// a drift. On steady streams this is so at one of some 200 looks.
	movingSigma = 3.0
	movingAgain = 2.25
	// movingLeast is the least share of tau that it has to be.
	movingLeast = .5
	// suddenSigma is how many standard errors the newest records of one side have to be decided differently for something to have happened to them at once, and
	// leastSudden how many of each side there have to be.
	suddenSigma = 3.5
	leastSudden = 128
)

// ofMany is how many standard errors leave as much to chance in all of so many comparisons as sigma leaves in one: the tail
// of the normal distribution falls like exp(−σ²/2), and each doubling of their number halves what is left for one.
func ofMany(sigma float64, comparisons int) float64 {
	doublings := bits.Len(uint(max(1, comparisons) - 1))
	return math.Sqrt(float64(sigma*sigma) + float64(2*math.Ln2*float64(doublings)))
}

// unsteadyRecords is within how many records two changes are more than chance. A steady stream has one falsely in a tenth of streams of 40,000
// records, and two in a sixtieth. But what moved by chance moves back, so the second one goes the other way, and neither is beyond doubt.
const unsteadyRecords = 40_000

// change is one by which older records were dropped.
type change struct {
	records float64 // learnt by then, 0 for never
	by      float64 // by how many standard errors more the sides differed, negative for less; 0 if that is not known
}

// lately says that a change was within the last records.
func (c change) lately(records float64) bool {
	return c.records > 0 && records-c.records < unsteadyRecords
}

// along says that a change did not go the other way.
func (c change) along(by float64) bool { return float64(c.by*by) >= 0 }

// cuts are the last three changes, the newest first.
type cuts [3]change

// add takes note of a change.
func (c *cuts) add(records, by float64) { c[0], c[1], c[2] = change{records, by}, c[0], c[1] }

// unsteady says that the records have changed three times of late, or twice, in the same direction or beyond the doubt of one of so many comparisons.
func (c *cuts) unsteady(records float64, comparisons int) bool {
	if !c[1].lately(records) {
		return false
	}
	surely := min(math.Abs(c[0].by), math.Abs(c[1].by)) > ofMany(changeSigma, comparisons)
	return surely || c[1].along(c[0].by) || c[2].lately(records)
}

// moving is how many standard errors the newest records have to be decided differently for the difference to be moving so.
func (c *cuts) moving(records, by float64) float64 {
	if c[0].lately(records) && c[0].along(by) {
		return movingAgain
	}
	return movingSigma
}
