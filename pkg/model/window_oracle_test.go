package model

import (
	"math"
	"slices"
	"sort"
)

// denseWindow keeps records in a ring; refreshing goes round it too.
type denseWindow struct {
	capacity, seen, steady, stale int
	items                         []denseItem
}

type denseItem struct {
	sequence           int
	features           []float64
	touched            []int32
	margins, gradients []float64 // in single precision, as they are kept
	weight             float64
	decision, positive bool
}

func single(margins []float64) (kept []float64) {
	for _, m := range margins {
		kept = append(kept, float64(float32(m)))
	}
	return kept
}

func (w *denseWindow) push(item denseItem) {
	item.sequence = w.seen
	if len(w.items) < w.capacity {
		w.items = append(w.items, item)
	} else {
		w.items[w.seen%w.capacity] = item
	}
	w.seen++
	w.steady = min(w.steady+1, w.capacity, max(256, w.seen*3/4))
}

// newest returns the records that are read, newest first.
func (w *denseWindow) newest() []denseItem {
	items := slices.Clone(w.items)
	sort.Slice(items, func(a, b int) bool { return items[a].sequence > items[b].sequence })
	return items[:min(w.steady, len(items))]
}

func (w *denseWindow) refresh(d *denseAdaptive, records int) {
	for range min(records, len(w.items)) {
		w.stale %= len(w.items)
		item := &w.items[w.stale]
		margins := d.margins(item.features)
		for k := range margins {
			margins[k] += d.leverage(item) * item.gradients[k]
		}
		item.margins = single(margins)
		w.stale++
	}
}

// leverage is what is left of a record's own step: see leverage.go.
func (d *denseAdaptive) leverage(item *denseItem) (sum float64) {
	s := d.stepSize()
	for _, j := range item.touched {
		v, curvature := item.features[j], d.curvature[j]
		sum += .5 * v * v * 2 * s / (math.Sqrt(curvature) + 2*s*(curvature+d.precisions[j]))
	}
	return sum
}

// rates of one part of a window.
type denseRate struct{ weight, squared, positive float64 }

func rateOf(items []denseItem, decide func(*denseItem) bool) (r denseRate) {
	for i := range items {
		r.weight += items[i].weight
		r.squared += items[i].weight * items[i].weight
		if decide(&items[i]) {
			r.positive += items[i].weight
		}
	}
	return r
}

func (r denseRate) rate() float64      { return r.positive / r.weight }
func (r denseRate) effective() float64 { return r.weight * r.weight / r.squared }
func (r denseRate) variance() float64 { // of one decision
	n := r.effective()
	smooth := (n*r.rate() + 1) / (n + 2)
	return smooth * (1 - smooth)
}
