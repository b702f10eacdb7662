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
	positive           bool
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
			margins[k] += d.influence(item, w.seen) * item.gradients[k]
		}
		item.margins = single(margins)
		w.stale++
	}
}

// influence is what is left of a record's own step: see influence.go of pkg/linear.
func (d *denseAdaptive) influence(item *denseItem, seen int) (sum float64) {
	w := math.Max(.01, (float64(item.sequence)+.5)/float64(seen))
	q := math.Max(1, math.Round(d.records*math.Max(1/(averagingShare*float64(d.config.Forgetting)), 1/(1+d.records/earlyAveraging))))
	pulls, squares, s := d.squaredError, d.squaredError, d.stepSize()*d.bounded
	for k := range d.pressures {
		pulls += .5 * d.pressures[k].reference / float64(len(d.iterates))
		squares += math.Pow(d.pressures[k].reference, 2) / float64(len(d.iterates))
	}
	// The density of u is q·u^(q−1) on [w, 1], which has a mass of 1 − w^q.
	mass := 1 - math.Pow(w, q)
	mean := q/(q+.5)*(1-math.Pow(w, q+.5))/mass - math.Sqrt(w)
	for _, j := range item.touched {
		s := s * d.slow(j)
		c := 2 * s * (3*d.curvature[j]*pulls/squares + d.precisions[j]) / math.Sqrt(d.curvature[j])
		y := c * mean
		if more := math.Sqrt(d.records/float64(d.config.Forgetting)) / 2; more > 1 {
			y *= 1 + (more-1)*math.Min(1, d.curvature[j]/(squares*float64(d.config.Forgetting)))
		}
		left := (mass + 2*q*math.Pow(w, q-.5)*mean*y/2) / (1 + y + y*y/2)
		sum += math.Pow(item.features[j], 2) * s / math.Sqrt(w*d.curvature[j]) * left
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
