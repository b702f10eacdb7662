package control

import (
	"cmp"
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
	i := w.next - 1 - age
	if len(w.slots) < w.capacity {
		i = len(w.slots) - 1 - age
	}
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
