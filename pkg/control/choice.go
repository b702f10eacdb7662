package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// turnSigma is how many standard errors the unconstrained model's difference must be beyond 0 before its
	// sign decides which way to push.
	turnSigma = 3.0
	// reflectBelow is the interpolation weight below which the constrained model has evidently been pushed the
	// wrong way, and is mirrored at the free one.
	reflectBelow = -.25
)

// choice is an interpolation weight, and what comes of it.
type choice struct {
	interpolation float64
	rates         [2]float64 // of both sides, that the window shows at it
	backwards     bool       // the bias has turned, and the constrained model makes it worse
}

// look finds what the published model decides of both sides, of a comparison without a model. records is the number
// learnt.
func (c *constraint) look(v *curve, sides [2]*window, records float64, settings *Settings, among family) {
	total, by := v.readSteady(none, nil, sides, among.measured, settings.Without.Has(refine.Change))
	if by != 0 {
		c.cut(records, by)
	}
	c.allow(total, c.worth(total, sides, countDecided), settings, among)
	c.difference = c.measure.of([2]float64{total[0].positive / total[0].weight, total[1].positive / total[1].weight})
	c.looked, c.reachable = records, true
}

// choose chooses the interpolation weight of a comparison with a model from its windows.
func (c *constraint) choose(v *curve, interpolation []float64, sides [2]*window, records float64, settings *Settings, among family) choice {
	total, by := v.readSteady(c.model-1, interpolation, sides, among.measured, settings.Without.Has(refine.Change))
	if by != 0 {
		c.cut(records, by)
	}
	c.allow(total, c.worth(total, sides, func(w *window) fairness.Count { return countAt(w, interpolation, 0) }), settings, among)
	v.draw(total, c.measure)
	c.difference, c.looked = v.difference[origin], records
	turned := c.orient(v, total)
	c.press(settings, records)
	at := origin
	if c.reachable = true; c.pressing {
		at = c.nearest(v)
	}
	chosen := choice{interpolation: leastInterpolation + float64(at)*(mostInterpolation-leastInterpolation)/cells, rates: v.rates(at, total)}
	chosen.backwards = turned || chosen.interpolation < reflectBelow
	return chosen
}

// worth is on how many records of equal weights the rate of each side rests. Where labels are missing, labelled records weigh what they stand for, and
// those of one decision may weigh more than those of the other.
func (c *constraint) worth(total [2]sums, sides [2]*window, count func(*window) fairness.Count) (records [2]float64) {
	for i := range records {
		if records[i] = total[i].effective(); c.labelled && c.missed > 0 {
			records[i] = count(sides[i]).Worth()
		}
	}
	return records
}

// allow sets the allowance for sampling error.
func (c *constraint) allow(total [2]sums, worth [2]float64, settings *Settings, among family) {
	var v allowance
	aim := &settings.Aim
	rates := [2]float64{total[0].smoothed(total[0].positive), total[1].smoothed(total[1].positive)}
	slopes := c.measure.slopes(rates)
	for i, rate := range rates {
		v.add(aim, float64(slopes[i]*slopes[i])*rate*(1-rate), worth[i]/inflationOfAim, c.shares[i])
	}
	c.theta, c.half = aim.theta(c.tau, v, among.sharing), aim.half(v)
	if settings.Without.Has(refine.Target) {
		c.theta = 0
	}
	c.several = among.sharing > 1
	c.noise, c.error = math.Sqrt(v.measured), math.Sqrt(v.measured+v.holdout)
	c.chance = float64(aim.evidence[max(0, among.measured-1)] * c.noise)
	c.chosen = true
}

// orient follows the sign of the unconstrained model's difference, and says whether pushing now makes it worse: not, if only the
// groups changed names.
func (c *constraint) orient(v *curve, total [2]sums) (worse bool) {
	free := v.difference[origin]
	sign := signOf(free)
	rates := [2]float64{total[0].smoothed(total[0].free), total[1].smoothed(total[1].free)}
	if math.Abs(free) > turnSigma*c.measure.error(rates, [2]float64{total[0].variance(total[0].free), total[1].variance(total[1].free)}) {
		worse = c.sign != sign && sign*(v.difference[origin+cells/4]-free) > 0
		c.sign = sign
	}
	return worse
}

// nearest returns the cell nearest to the unconstrained model whose difference is within the target, or that of least
// difference if there is none.
func (c *constraint) nearest(v *curve) int {
	sign, aim := signOf(v.difference[origin]), c.target()
	for far := range cells + 1 {
		for _, i := range [...]int{origin + far, origin - far} {
			if i >= 0 && i <= cells && sign*v.difference[i] <= aim {
				c.reachable = true
				return i
			}
		}
	}
	c.reachable = false
	least := origin
	for i := range v.difference {
		if math.Abs(v.difference[i]) < math.Abs(v.difference[least]) {
			least = i
		}
	}
	return least
}

// signOf is 1 for 0, too.
func signOf(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}
