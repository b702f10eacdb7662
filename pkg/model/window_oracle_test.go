package model

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// denseWindow is a list of records, the newest last.
type denseWindow struct {
	capacity, seen, steady int
	items                  []*denseItem
}

type denseItem struct {
	came               float64
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

// push adds a record, and returns the one that is pushed out.
func (w *denseWindow) push(item *denseItem) (out *denseItem) {
	w.items = append(w.items, item)
	if len(w.items) > w.capacity {
		out, w.items = w.items[0], w.items[1:]
	}
	w.seen++
	w.steady = min(w.steady+1, w.capacity, max(256, w.seen*3/4))
	return out
}

// newest returns the records that are read, newest first.
func (w *denseWindow) newest() []*denseItem {
	items := slices.Clone(w.items)
	slices.Reverse(items)
	return items[:min(w.steady, len(items))]
}

// keep gives a record to the windows, and its slot to the next one once no window has it.
func (d *denseAdaptive) keep(item *denseItem, sides []fairness.Side) {
	if last := len(d.vacant) - 1; last >= 0 {
		d.slots[d.vacant[last]], d.vacant = item, d.vacant[:last]
	} else {
		d.slots = append(d.slots, item)
	}
	windows := []*denseWindow{d.everyone}
	for k, i := range d.compared {
		switch sides[i] {
		case fairness.Group:
			windows = append(windows, d.sides[k][0])
		case fairness.Versus:
			windows = append(windows, d.sides[k][1])
		}
	}
	for _, w := range windows {
		if out := w.push(item); out != nil && !d.held(out) {
			d.vacant = append(d.vacant, slices.Index(d.slots, out))
		}
	}
}

// drop keeps the newest records of both sides only.
func (d *denseAdaptive) drop(sides [2]*denseWindow, newest int) {
	for _, w := range sides {
		old := slices.Clone(w.items[:len(w.items)-newest])
		w.items, w.steady = w.items[len(w.items)-newest:], newest
		for _, item := range old {
			if !d.held(item) {
				d.vacant = append(d.vacant, slices.Index(d.slots, item))
			}
		}
	}
}

func (d *denseAdaptive) held(item *denseItem) bool {
	held := slices.Contains(d.everyone.items, item)
	for _, sides := range d.sides {
		held = held || slices.Contains(sides[0].items, item) || slices.Contains(sides[1].items, item)
	}
	return held
}

// refresh scores some of the records again, in the order of their slots.
func (d *denseAdaptive) refresh() {
	used := len(d.slots) - len(d.vacant)
	perRecord := math.Min(16, math.Max(2*math.Max(1, float64(len(d.active))), 65536/float64(max(1, used))))
	if len(d.active) == 0 {
		perRecord /= 4
	}
	for _, k := range d.active {
		p := &d.pressures[k]
		long := [2]bool{}
		for i, away := range p.away {
			long[i] = away*8 >= float64(d.lastInterval) && away*p.shares[i] >= 4
		}
		if long[0] != long[1] {
			perRecord = float64(used)
		}
	}
	for count := min(used, max(1, int(perRecord*float64(d.lastInterval)))); count > 0; d.stale++ {
		d.stale %= len(d.slots)
		if !slices.Contains(d.vacant, d.stale) {
			d.score(d.slots[d.stale])
			count--
		}
	}
}

func (d *denseAdaptive) score(item *denseItem) {
	margins := d.margins(item.features)
	free, constrained := d.influence(item, d.squaredError), d.influence(item, d.firmness())
	for k := range margins {
		margins[k] += free * item.gradients[k]
		free = constrained
	}
	item.margins = single(margins)
}

// learn is the push of a record that is learnt, and takes it into the averages. The last two are for a multiplier of 1.
func (p *densePressure) learn(side fairness.Side, z float64) float64 {
	p.firm.records++
	share, g := math.Max(1/(1+p.firm.records/4), 1./2048), p.push(side, z)
	p.firm.loss += share * (1/(2+math.Exp(z)+math.Exp(-z)) - p.firm.loss)
	p.firm.push += share * ((p.push(side, z+.5)-p.push(side, z-.5))/p.reference - p.firm.push)
	p.firm.square += share * (math.Pow(g/p.reference, 2) - p.firm.square)
	return g
}

// firmness is the curvature of what constrained models minimise: that of the loss and that of the push.
func (d *denseAdaptive) firmness() (curvature float64) {
	for _, k := range d.active {
		p := &d.pressures[k]
		curvature += (p.firm.loss + p.reference*math.Max(0, p.firm.push)) / float64(len(d.active))
	}
	if len(d.active) == 0 {
		return d.squaredError
	}
	return curvature
}

// influence is what is left of a record's own step under a model of that curvature: see influence.go of pkg/linear.
func (d *denseAdaptive) influence(item *denseItem, curvature float64) (sum float64) {
	w := math.Max(.01, (item.came-.5)/d.records)
	q := math.Max(1, math.Round(d.records*math.Max(1/(averagingShare*float64(d.config.Forgetting)), 1/(1+d.records/earlyAveraging))))
	squares, s := d.squaredError, d.config.Step*d.bounded
	for _, k := range d.active {
		squares += math.Pow(d.pressures[k].reference, 2) * d.pressures[k].firm.square / float64(len(d.iterates))
	}
	exact := w // but for this, w is the middle of an interval of its root
	w = math.Pow((math.Floor(32*math.Sqrt(w))+.5)/32, 2)
	// The density of u is q·u^(q−1) on [w, 1], which has a mass of 1 − w^q.
	mass := 1 - math.Pow(w, q)
	mean := q/(q+.5)*(1-math.Pow(w, q+.5))/mass - math.Sqrt(w)
	for _, j := range item.touched {
		s := s * d.slow(j)
		c := 2 * s * (2.5*d.curvature[j]*curvature/squares + d.precisions[j]) / math.Sqrt(d.curvature[j])
		y := c * mean
		if more := math.Sqrt(d.records/float64(d.config.Forgetting)) / 2; more > 1 {
			y *= 1 + (more-1)*math.Min(1, d.curvature[j]/(squares*float64(d.config.Forgetting)))
		}
		left := (mass + 2*q*math.Pow(w, q-.5)*mean*y/2) / (1 + y + y*y/2)
		sum += math.Pow(item.features[j], 2) * s / math.Sqrt(exact*d.curvature[j]) * left
	}
	return sum
}

// rates of one part of a window.
type denseRate struct{ weight, squared, positive float64 }

func rateOf(items []*denseItem, decide func(*denseItem) bool) (r denseRate) {
	for _, item := range items {
		r.weight += item.weight
		r.squared += item.weight * item.weight
		if decide(item) {
			r.positive += item.weight
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
