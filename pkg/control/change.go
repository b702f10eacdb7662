package control

import "math"

const (
	// changeSigma is how many standard errors the newest records must differ from the older ones
	// before the older ones are dropped. The test runs at every choice, on a handful of
	// window lengths.
	changeSigma = 4.5
	// driftSigma is the same for the newer half against the older one. Halving too often costs little.
	driftSigma = 3.0
)

// divide sets the lengths that are compared with the rest, none above half of a side.
func (c *curve) divide(half int) {
	c.lengths = c.lengths[:0]
	if half < recent[0] {
		return
	}
	for _, length := range recent {
		if length < half {
			c.lengths = append(c.lengths, length)
		}
	}
	c.lengths = append(c.lengths, half)
}

// changed returns the part from which on the newest records are decided too differently from the older ones
// for chance, or -1.
func (c *curve) changed(total [2]sums) int {
	for part := range c.lengths {
		difference, variance := 0.0, 0.0
		for i, sign := range [2]float64{1, -1} {
			young, old := c.newest[i][part], total[i].minus(c.newest[i][part])
			difference += float64(sign * (young.positive/young.weight - old.positive/old.weight))
			rate := total[i].smoothed(total[i].positive)
			variance += float64(rate * (1 - rate) * (1/young.effective() + 1/old.effective()))
		}
		sigma := changeSigma
		if part == len(c.lengths)-1 {
			sigma = driftSigma
		}
		if math.Abs(difference) > sigma*math.Sqrt(variance) {
			return part
		}
	}
	return -1
}

// readSteady reads the curve, after dropping the records that no longer hold, unless all are to be kept.
// It says whether any were dropped.
func (c *curve) readSteady(k int, interpolation []float64, sides [2]*window, keep bool) (total [2]sums, cut bool) {
	c.divide(min(sides[0].steady, sides[1].steady) / 2)
	total = c.read(k, interpolation, sides)
	part := c.changed(total)
	if part < 0 || keep {
		return total, false
	}
	for _, w := range sides {
		w.drop(c.lengths[part])
	}
	c.divide(0)
	return c.read(k, interpolation, sides), true
}
