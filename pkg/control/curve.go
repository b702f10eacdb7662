package control

import (
	"math"

	"github.com/fairstream/fairstream/internal/halves"
	"github.com/fairstream/fairstream/internal/turns"
	"github.com/fairstream/fairstream/pkg/fairness"
)

const (
	// cells is the resolution of the choice: a cell is 1/512, below 0.001 of difference on the Adult records.
	cells = 1280
	// origin is the cell of the unconstrained model.
	origin = int(-leastInterpolation * cells / (mostInterpolation - leastInterpolation))
)

// recent are the lengths, in records per side, of the newest part that is compared with the rest.
var recent = [...]int{256, 512, 1024, 2048, 4096}

// curve is the difference of a comparison as a function of its interpolation weight, others being what they are. It is
// exact: a record is decided positively at the weights where rest + weight × slope > 0, and so is one step of it. First
// indices are the side.
type curve struct {
	jumps      [2][cells + 1]float64 // weight of records that come to be decided positively in a cell
	start      [2]float64            // weight of those that are, at the least interpolation
	difference [cells + 1]float64
	// lengths are those of the newest parts that are compared with the rest, in records per side.
	lengths []int
	newest  [2][len(recent) + 1]sums
	total   [2]sums // of all records

	// What is read.
	both          *halves.Work
	k             int
	interpolation []float64
	sides         [2]*window
}

// sums of one side's decisions. Positive weights are those at the present interpolation, free ones those of
// the unconstrained model.
type sums struct{ weight, squared, positive, free float64 }

func (s sums) effective() float64 { return s.weight * s.weight / s.squared }

// smoothed is the rate of the weight k, with one positive and one negative decision added.
func (s sums) smoothed(k float64) float64 {
	n := s.effective()
	return (float64(n*k/s.weight) + 1) / (n + 2)
}

// variance is that of the rate k/n.
func (s sums) variance(k float64) float64 {
	rate := s.smoothed(k)
	return rate * (1 - rate) / s.effective()
}

func (s sums) minus(part sums) sums {
	return sums{s.weight - part.weight, s.squared - part.squared, s.positive - part.positive, s.free - part.free}
}

// rates are those of both sides in a cell.
func (c *curve) rates(cell int, total [2]sums) (rates [2]float64) {
	for side := range rates {
		positive := c.start[side]
		for _, x := range c.jumps[side][:cell] {
			positive += x
		}
		rates[side] = min(1, max(0, positive/total[side].weight))
	}
	return rates
}

// none stands for the interpolation weight of a comparison that has no model.
const none = -1

// read goes over the records of both sides, newest first, for the k-th of the interpolation weights; for none it finds what
// the published model decides, as the memory has been told to.
func (c *curve) read(k int, interpolation []float64, sides [2]*window) (total [2]sums) {
	if c.both == nil {
		c.both = halves.New(c.readSide)
	}
	c.k, c.interpolation, c.sides = k, interpolation, sides
	c.both.Run(sides[0].steady + sides[1].steady)
	return c.total
}

func (c *curve) readSide(side int) {
	w, k, interpolation, total := c.sides[side], c.k, c.interpolation, &c.total[side]
	clear(c.jumps[side][:])
	c.start[side], *total = 0, sums{}
	from := 0
	for part, length := range c.lengths {
		c.readPart(total, side, w, from, length, k, interpolation)
		c.newest[side][part] = *total
		from = length
	}
	c.readPart(total, side, w, from, w.steady, k, interpolation)
}

// readPart goes over the records of the ages from, ..., to-1, in one or two runs.
func (c *curve) readPart(total *sums, side int, w *window, from, to, k int, interpolation []float64) {
	for from < to {
		last := w.place(from)
		count := min(to-from, last+1)
		switch slots, weights := w.slots[last+1-count:last+1], w.weights[last+1-count:last+1]; {
		case k == none:
			total.add(w.memory, slots, weights)
		case w.others == 0 && len(interpolation) == 1:
			c.readOnes(total, side, w.memory.margins, slots, interpolation[0])
		default:
			c.readRun(total, side, w.memory, slots, weights, k, interpolation)
		}
		from += count
	}
}

// add goes over the decisions of records, the last one first.
func (s *sums) add(m *memory, slots []int32, weights []float32) {
	sum := *s
	weights = weights[:len(slots)]
	for i := len(slots) - 1; i >= 0; i-- {
		weight := float64(weights[i])
		sum.weight += weight
		sum.squared += float64(weight * weight)
		sum.positive += float64(weight * float64(m.decided[slots[i]]))
	}
	sum.free = sum.positive
	*s = sum
}

// readOnes is readRun of records that all weigh 1, with one constrained model: sums of ones are exact, so their order does not matter.
func (c *curve) readOnes(total *sums, side int, margins []float32, slots []int32, value float64) {
	at := turns.Weights{Present: value, Least: leastInterpolation, Most: mostInterpolation}
	var n turns.Counts
	var found [turns.AtOnce]turns.Turn
	for left := slots; len(left) > 0; left = left[min(turns.AtOnce, len(left)):] {
		for _, t := range found[:n.Read(margins, left, &at, &found)] {
			c.step(side, &turn{t.Rest, t.Slope, math.Copysign(1, t.Slope)})
		}
	}
	c.start[side] += float64(n.Least)
	total.weight, total.squared = total.weight+float64(len(slots)), total.squared+float64(len(slots))
	total.positive, total.free = total.positive+float64(n.Present), total.free+float64(n.Free)
}

// turn is a record whose decision depends on the interpolation weight. change is its weight where the decision becomes positive
// as the interpolation weight grows, less where it becomes negative.
type turn struct{ rest, slope, change float64 }

// turnsAtOnce is how many records are read before the cells of those that turn are found: which ones turn cannot be foreseen,
// and a branch on it takes longer than all else.
const turnsAtOnce = 128

// readRun goes over records, the last one first. rest is what the other interpolation weights make of a margin.
func (c *curve) readRun(total *sums, side int, m *memory, slots []int32, weights []float32, k int, interpolation []float64) {
	sum, start := *total, c.start[side]
	value, margins, weights := interpolation[k], m.margins, weights[:len(slots)]
	var turning [turnsAtOnce]turn
	for end := len(slots); end > 0; {
		first, found := max(0, end-turnsAtOnce), 0
		for i := end - 1; i >= first; i-- {
			at := int(slots[i]) * m.models
			free := float64(margins[at])
			slope := float64(margins[at+1+k]) - free
			rest := free
			if len(interpolation) > 1 {
				rest = others(m.at(int(slots[i])), k, interpolation)
			}
			weight := float64(weights[i])
			sum.weight += weight
			sum.squared += float64(weight * weight)
			sum.positive += positivePart(weight, rest+float64(value*slope))
			sum.free += positivePart(weight, rest)
			low := positivePart(weight, rest+float64(leastInterpolation*slope))
			high := positivePart(weight, rest+float64(mostInterpolation*slope))
			start += low
			turning[found%turnsAtOnce] = turn{rest, slope, high - low}
			if low != high {
				found++
			}
		}
		for i := range turning[:found] {
			c.step(side, &turning[i])
		}
		end = first
	}
	*total, c.start[side] = sum, start
}

// step notes in which cell a record turns. Only margins that are not numbers, from a state that was tampered with, have no cell.
func (c *curve) step(side int, t *turn) {
	const scale = cells / (mostInterpolation - leastInterpolation)
	if cell := uint(int(float64((-t.rest/t.slope - leastInterpolation) * scale))); cell < uint(len(c.jumps[side])) {
		c.jumps[side][cell] += t.change
	}
}

// others is the margin of a record at all interpolation weights but the k-th.
func others(margins []float32, k int, interpolation []float64) float64 {
	free := float64(margins[0])
	rest := free
	for j, value := range interpolation {
		if j != k {
			rest += float64(value * (float64(margins[1+j]) - free))
		}
	}
	return rest
}

// positivePart is the weight if the margin is positive, else 0: without a branch, because which it is cannot
// be foreseen.
func positivePart(weight, margin float64) float64 {
	// The sign bit of 0 − margin, which is set for positive margins only, spread over all bits.
	mask := uint64(int64(math.Float64bits(0-margin)) >> 63)
	return math.Float64frombits(math.Float64bits(weight) & mask)
}

// draw computes the measure at every interpolation weight from what read has found.
func (c *curve) draw(total [2]sums, m measure) {
	group, versus := 1/total[0].weight, 1/total[1].weight
	positive, other := c.start[0], c.start[1]
	for i := range c.difference {
		c.difference[i] = m.of([2]float64{float64(positive * group), float64(other * versus)})
		positive += c.jumps[0][i]
		other += c.jumps[1][i]
	}
}

// What no longer holds is dropped.

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
// for chance in one of so many comparisons, or -1, and by how many standard errors more the sides differ there.
func (c *curve) changed(total [2]sums, comparisons int) (part int, by float64) {
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
		if math.Abs(difference) > ofMany(sigma, comparisons)*math.Sqrt(variance) {
			return part, difference / math.Sqrt(variance)
		}
	}
	return -1, 0
}

// readSteady reads the curve, after dropping the records that no longer hold, unless all are to be kept.
// It says by how many standard errors more the sides differ since, 0 if none were dropped. comparisons is how many are looked at so.
func (c *curve) readSteady(k int, interpolation []float64, sides [2]*window, comparisons int, keep bool) (total [2]sums, by float64) {
	c.divide(min(sides[0].steady, sides[1].steady) / 2)
	total = c.read(k, interpolation, sides)
	part, by := c.changed(total, comparisons)
	if part < 0 || keep {
		return total, 0
	}
	for _, w := range sides {
		w.drop(c.lengths[part])
	}
	c.divide(0)
	return c.read(k, interpolation, sides), by
}

// What moves, and is not dropped yet.
//
// A window is cut where chance hardly ever makes its newest records differ so much from the older ones, because to cut it in vain costs
// accuracy. In a slow drift the difference has moved far by then, and the interval, which is about the whole window, still shows what it was. To
// warn in vain costs little. So with each document the decisions of the present models are compared in the same way, but at fewer standard errors.

// movingParts are which parts of both windows are newest: a thirty-second part of each and a sixteenth, where something may have happened at once, an eighth,
// a quarter, and half.
var movingParts = [...]int{32, 16, 8, 4, 2}

// suddenPart is the largest of those where something may have happened at once.
const suddenPart = 16

// motion is what counts as moving: a difference that is off by least or more, and by more than sigma standard errors, or, of leastSudden records of each side or
// more, by more than surely standard errors of one side; of those that something may have happened to at once, only by more than alone of them. Where one side
// changes, the other one, of as many records, would hide it for long in the error of the difference.
type motion struct {
	sigma                func(by float64) float64
	alone, surely, least float64
}

// moved is by how much more both sides differ on the newest records than on the older ones, by decisions about all slots, if that is more than chance makes of it;
// else 0. There have to be as many records as divide asks for.
func (m measure) moved(sides [2]*window, decided []bool, motion motion) float64 {
	var parts [2][len(movingParts) + 1]fairness.Count // newest first
	for i, w := range sides {
		for age, k := 0, 0; age < w.steady; age++ {
			for k < len(movingParts) && age >= w.steady/movingParts[k] {
				k++
			}
			slot, weight := w.slot(age)
			parts[i][k].Add(decided[slot], weight)
		}
	}
	for k, part := range movingParts {
		var young, old, rates, variances [2]float64
		sudden := 0.0 // standard errors
		for i := range sides {
			newest, older, all := together(parts[i][:k+1]), together(parts[i][k+1:]), together(parts[i][:])
			young[i], old[i] = newest.Rate(), older.Rate()
			rates[i] = (float64(all.Effective()*all.Rate()) + 1) / (all.Effective() + 2)
			variances[i] = rates[i] * (1 - rates[i]) * (1/newest.Effective() + 1/older.Effective())
			sudden = max(sudden, math.Abs(young[i]-old[i])/math.Sqrt(variances[i]))
		}
		by := m.of(young) - m.of(old)
		many := min(sides[0].steady, sides[1].steady)/part >= leastSudden
		sure := math.Abs(by) > motion.sigma(by)*m.error(rates, variances) || many && sudden > motion.surely
		if part >= suddenPart {
			sure = many && sudden > motion.alone
		}
		if sure && math.Abs(by) >= motion.least {
			return by
		}
	}
	return 0
}

// together is the sum of some counts.
func together(parts []fairness.Count) (all fairness.Count) {
	for _, part := range parts {
		all.Combine(part)
	}
	return all
}
