package control

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/linear"
)

// world draws the margins of the free and of the constrained model on either side.
type world struct {
	free, slope [2]float64 // means: of the free margin, and of what a unit of interpolation adds to it
	spread      float64    // standard deviation of both
	weights     bool
}

// sides fills two windows with records of the world.
func (w world) sides(random *rand.Rand, records int) [2]*window {
	var sides [2]*window
	m := newMemory()
	m.join()
	for i := range sides {
		sides[i] = newWindow(8192, m)
	}
	for range records {
		w.push(random, sides)
	}
	for i := range sides {
		sides[i].steady = sides[i].len()
	}
	return sides
}

// push adds one record to each window.
func (w world) push(random *rand.Rand, sides [2]*window) {
	for i := range sides {
		free := w.free[i] + random.NormFloat64()
		constrained := free + w.slope[i] + w.spread*random.NormFloat64()
		weight := 1.0
		if w.weights {
			weight = .1 + 3*random.Float64()
		}
		keep(sides[i], recordOf([]float64{free, constrained}, weight, free > .5), []float64{0, 0})
	}
}

// difference is that of the true rates at a interpolation, one record after the other.
func difference(sides [2]*window, interpolation float64) float64 {
	var rates [2]float64
	for i, w := range sides {
		total, positive := 0.0, 0.0
		for age := range w.steady {
			at, weight := w.slot(age)
			free, constrained := float64(w.memory.margins[2*at]), float64(w.memory.margins[2*at+1])
			total += weight
			if free+interpolation*(constrained-free) > 0 {
				positive += weight
			}
		}
		rates[i] = positive / total
	}
	return rates[0] - rates[1]
}

// grid returns the interpolation weights that are searched.
func grid(i int) float64 {
	return leastInterpolation + float64(i)*(mostInterpolation-leastInterpolation)/cells
}

// plainChoice looks for the interpolation nearest to 0 that keeps the difference, in the direction of the free
// model's bias, within the aim.
func plainChoice(sides [2]*window, aim float64) (interpolation float64, reachable bool) {
	sign := 1.0
	if difference(sides, 0) < 0 {
		sign = -1
	}
	for distance := 0; distance <= cells; distance++ {
		for _, i := range [2]int{origin + distance, origin - distance} {
			if i >= 0 && i <= cells && sign*difference(sides, grid(i)) <= aim {
				return grid(i), true
			}
		}
	}
	return 0, false
}

// keeper is one constraint with its interpolation weight and what the choice of it needs.
type keeper struct {
	constraint
	value     float64
	backwards bool
	curve     curve
}

func newKeeper(tau float64) *keeper {
	return &keeper{constraint: constraint{tau: tau, sign: 1, reachable: true}}
}

// choose chooses the interpolation weight of the only constraint.
func (k *keeper) choose(sides [2]*window, shares shares, aim *Aim) {
	k.shares, k.model = shares, 1
	chosen := k.constraint.choose(&k.curve, []float64{k.value}, sides, 1, &Settings{Aim: *aim}, family{1, 1})
	k.value, k.backwards = chosen.interpolation, chosen.backwards
}

// keep keeps a record in the memory of a window, and pushes it.
func keep(w *window, r *Record, gradients []float64) {
	if r.Weight > 0 {
		w.yield()
		w.push(w.memory.add(r, gradients, float64(w.seen+1)), float32(r.Weight))
	}
}

// recordOf is a record of these margins, decided by the first.
func recordOf(margins []float64, weight float64, positive bool) *Record {
	return &Record{Row: &features.Row{Index: []int32{0}, Value: []float32{1}}, Margins: &linear.Margins{Average: margins},
		Published: margins[0], Positive: positive, Weight: weight}
}

// exact makes no allowance for sampling error.
var exact = Aim{quantiles: []float64{0}, evidence: []float64{0}, holdout: 1e9}

// The interpolation weight chosen is the one that a search record by record finds, in worlds of every kind.
func TestTheChoiceIsTheNearest(t *testing.T) {
	if testing.Short() {
		t.Skip("computes in one goroutine: left out by -short")
	}
	random := rand.New(rand.NewPCG(1, 2))
	reached := 0
	for trial := range 60 {
		w := world{
			free:  [2]float64{random.NormFloat64(), random.NormFloat64()},
			slope: [2]float64{random.NormFloat64(), random.NormFloat64()}, spread: random.Float64(), weights: trial%2 == 0,
		}
		sides := w.sides(random, 300+random.IntN(300))
		p := newKeeper(.02 + .2*random.Float64())
		p.choose(sides, shares{.5, .5}, &exact)
		want, reachable := plainChoice(sides, p.tau)
		if p.reachable != reachable {
			t.Fatalf("trial %d: reachable %t, should be %t", trial, p.reachable, reachable)
		}
		if !reachable {
			checkLeast(t, sides, p.value)
			continue
		}
		reached++
		if p.value != want {
			t.Errorf("trial %d: interpolation %v with difference %v, should be %v with %v (aim %v)", trial, p.value, difference(sides, p.value), want, difference(sides, want), p.tau)
		}
	}
	if reached < 30 {
		t.Errorf("only %d of 60 worlds could be made fair", reached)
	}
}

// checkLeast: out of reach, the least difference is taken.
func checkLeast(t *testing.T, sides [2]*window, interpolation float64) {
	t.Helper()
	chosen := math.Abs(difference(sides, interpolation))
	for i := range cells + 1 {
		if other := math.Abs(difference(sides, grid(i))); other < chosen-1e-9 {
			t.Errorf("interpolation %v leaves a difference of %v, %v one of %v", interpolation, chosen, grid(i), other)
			return
		}
	}
}

func TestChooseCases(t *testing.T) {
	for name, test := range map[string]struct {
		world     world
		tau       float64
		reachable bool
		low, high float64 // of the interpolation
		backwards bool
	}{
		"fair already":             {world{slope: [2]float64{-1, 1}, spread: .3}, .1, true, 0, 0, false},
		"half of the way":          {world{free: [2]float64{.5, -.5}, slope: [2]float64{-1, 1}, spread: .1}, .05, true, .3, .6, false},
		"the other group favoured": {world{free: [2]float64{-.5, .5}, slope: [2]float64{1, -1}, spread: .1}, .05, true, .3, .6, false},
		"out of reach":             {world{free: [2]float64{.5, -.5}}, .05, false, 0, 0, false},
		"nearly out of reach":      {world{free: [2]float64{1.4, -1.4}, slope: [2]float64{-1, 1}, spread: .1}, .05, true, 1.2, 1.5, false},
		"pressed the wrong way":    {world{free: [2]float64{.5, -.5}, slope: [2]float64{1, -1}, spread: .1}, .05, true, -.6, -.3, true},
	} {
		t.Run(name, func(t *testing.T) {
			sides := test.world.sides(rand.New(rand.NewPCG(3, 3)), 3000)
			p := newKeeper(test.tau)
			if test.world.free[0] < test.world.free[1] {
				p.sign = -1
			}
			p.choose(sides, shares{.5, .5}, &exact)
			if p.reachable != test.reachable || p.value < test.low || p.value > test.high || p.backwards != test.backwards {
				t.Errorf("reachable %t, interpolation %v, backwards %t", p.reachable, p.value, p.backwards)
			}
		})
	}
}

// The sign follows the unconstrained model's bias once that is beyond chance.
func TestTheSignFollowsTheBias(t *testing.T) {
	for _, test := range []struct {
		bias    float64
		records int
		from    float64
		want    float64
	}{
		{.3, 4000, -1, 1}, {-.3, 4000, 1, -1}, {.3, 4000, 1, 1}, {-.3, 4000, -1, -1},
		{.02, 400, -1, -1}, {-.02, 400, 1, 1}, // a bias within chance decides nothing
	} {
		sides := world{free: [2]float64{test.bias, -test.bias}, slope: [2]float64{-1, 1}}.sides(rand.New(rand.NewPCG(4, 4)), test.records)
		p := newKeeper(.05)
		p.sign = test.from
		p.choose(sides, shares{.5, .5}, &exact)
		if p.sign != test.want {
			t.Errorf("bias %v on %d records: sign %v", test.bias, test.records, p.sign)
		}
	}
}

// Theta is the quantile times the standard error of the difference in the window, whose variance is inflated, and in the
// holdout, or the half-width of the interval if that is larger; and leaves a fifth of tau to aim at.
func TestTheta(t *testing.T) {
	sides := world{free: [2]float64{0, 0}, slope: [2]float64{-1, 1}}.sides(rand.New(rand.NewPCG(5, 5)), 4000)
	theta := func(tau, quantile, interval, holdout float64) (float64, float64) {
		p := newKeeper(tau)
		p.choose(sides, shares{.3, .1}, &Aim{quantiles: []float64{quantile}, evidence: []float64{0}, interval: interval, holdout: holdout})
		return p.theta, p.target()
	}
	// Both rates are about a half, so both variances a quarter.
	want := 1.645 * math.Sqrt(2*.25/4000+.25/(.3*10000)+2*.25/4000+.25/(.1*10000))
	if got, aim := theta(.1, 1.645, 0, 10000); math.Abs(got-want) > .01*want || math.Abs(aim-(.1-got)) > 1e-15 {
		t.Errorf("theta %v, aim %v; theta should be %v", got, aim, want)
	}
	want = 1.96 * math.Sqrt(2*.25/4000+2*.25/4000)
	if got, _ := theta(.1, 0, 1.96, 10000); math.Abs(got-want) > .01*want {
		t.Errorf("theta %v, should be the half-width %v", got, want)
	}
	if got, aim := theta(.01, 1.645, 1.96, 10000); math.Abs(got-.008) > 1e-12 || math.Abs(aim-.002) > 1e-12 {
		t.Errorf("with a small tau theta is %v and the aim %v", got, aim)
	}
	if got, aim := theta(.1, 0, 0, 10000); got != 0 || aim != .1 {
		t.Errorf("at confidence one half theta is %v and the aim %v", got, aim)
	}
}

// Several enforced constraints share the doubt, so that the confidence is that of all together.
func TestConstraintsShareTheDoubt(t *testing.T) {
	for count, quantile := range map[int]float64{0: 1.6449, 1: 1.6449, 2: 1.9600, 5: 2.3263} {
		aim := NewAim(.95, count, 10000, .9)
		if got := aim.quantile(count); math.Abs(got-quantile) > 1e-4 {
			t.Errorf("%d enforced constraints: quantile %v, should be %v", count, got, quantile)
		}
	}
}

// However large the sampling error, a fifth of tau remains to aim at: in both tasks.
func TestTheLeastTarget(t *testing.T) {
	rates, means := constraint{tau: .1, theta: .09}, meanConstraint{tau: .1, theta: .09, gap: .1}
	if math.Abs(rates.target()-.02) > 1e-15 || math.Abs(means.target()-.02) > 1e-15 {
		t.Errorf("targets %v and %v, should be .02", rates.target(), means.target())
	}
}

// An abrupt change is noticed within a few hundred records of each side, and what is older is dropped.
func TestAbruptChangeIsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for _, jump := range []float64{.5, 1} {
		before := world{free: [2]float64{.3, -.3}, slope: [2]float64{-1, 1}, spread: .2}
		after := world{free: [2]float64{.3 + jump, -.3 - jump}, slope: before.slope, spread: before.spread}
		sides := before.sides(random, 6000)
		p := newKeeper(.05)
		p.choose(sides, shares{.5, .5}, &exact)
		p.changes = 0
		sides[0].steady, sides[1].steady = 6000, 6000
		noticed := 0
		for i := 1; i <= 2000 && p.changes == 0; i++ {
			after.push(random, sides)
			if i%64 == 0 {
				p.choose(sides, shares{.5, .5}, &exact)
				noticed = i
			}
		}
		if p.changes == 0 || noticed > 1024 || sides[0].steady > 3100 {
			t.Errorf("a jump of %v: %d changes, the last looked for after %d records, %d records kept", jump, p.changes, noticed, sides[0].steady)
		}
	}
}

// steadyStream chooses at every 64th of 10,000 records that come from one world, and returns how often the
// window was cut, and its mean length.
func steadyStream(seed uint64) (cuts int64, length float64) {
	random := rand.New(rand.NewPCG(seed, 7))
	w := world{free: [2]float64{.4, -.4}, slope: [2]float64{-1, 1}, spread: .3}
	sides := w.sides(random, 1000)
	p := newKeeper(.05)
	choices := 0
	for i := range 10000 {
		w.push(random, sides)
		if i%64 == 0 {
			p.choose(sides, shares{.5, .5}, &exact)
			length += float64(sides[0].steady)
			choices++
		}
	}
	return p.changes, length / float64(choices)
}

// BenchmarkFalseAlarms reports how often a window is cut in 10,000 records among which nothing changes.
func BenchmarkFalseAlarms(b *testing.B) {
	cuts, length := 0.0, 0.0
	for i := range b.N {
		c, l := steadyStream(uint64(i))
		cuts += float64(c)
		length += l
	}
	b.ReportMetric(cuts/float64(b.N), "cuts/10000-records")
	b.ReportMetric(length/float64(b.N), "records-read")
}

// Where nothing changes, chance cuts the window now and then; most of it stays.
func TestSteadyStreamIsHardlyCut(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	cuts, length := int64(0), 0.0
	const streams = 8
	for seed := range uint64(streams) {
		c, l := steadyStream(seed)
		cuts += c
		length += l / streams
	}
	if cuts > 2*streams || length < 3500 {
		t.Errorf("%d cuts in %d streams of 10,000 records; %.0f records are read on average", cuts, streams, length)
	}
}

// TestNearest: the nearest cell within the target, the upper one of two that are as near; both ends belong to the cells. Where there is
// no such cell, the one of least difference.
func TestNearest(t *testing.T) {
	for name, test := range map[string]struct {
		within    []int // cells whose difference is the target; it is twice that elsewhere
		want      int
		reachable bool
	}{
		"all":                    {[]int{origin, 3, cells}, origin, true},
		"the last":               {[]int{cells}, cells, true},
		"the first":              {[]int{0}, 0, true},
		"above":                  {[]int{origin + 7, origin - 8}, origin + 7, true},
		"below":                  {[]int{origin + 8, origin - 7}, origin - 7, true},
		"as near":                {[]int{origin + 7, origin - 7}, origin + 7, true},
		"one above, none below":  {[]int{origin + 1}, origin + 1, true},
		"one below, none above":  {[]int{origin - 1}, origin - 1, true},
		"none: all are the same": {nil, origin, false},
	} {
		for _, sign := range []float64{1, -1} {
			c, v := constraint{tau: .25}, &curve{}
			for i := range v.difference {
				v.difference[i] = sign * .5
			}
			for _, i := range test.within {
				v.difference[i] = sign * .25
			}
			if got := c.nearest(v); got != test.want || c.reachable != test.reachable {
				t.Errorf("%s: cell %d, reachable %t", name, got, c.reachable)
			}
			v.difference[5] = sign * .26
			if got := c.nearest(v); !test.reachable && got != 5 {
				t.Errorf("%s: cell %d is taken for that of least difference", name, got)
			}
		}
	}
}

// TestManyComparisonsSeeNoMoreChangesThanOne: a difference between the halves of a window that is a change in one comparison is chance
// in one of sixteen, where it would have come sixteen times as often; a larger one is a change in both.
func TestManyComparisonsSeeNoMoreChangesThanOne(t *testing.T) {
	for _, test := range []struct {
		deviations  float64 // standard errors between the halves
		comparisons int
		changed     bool
	}{{2.9, 1, false}, {3.1, 1, true}, {3.1, 2, false}, {3.1, 16, false}, {3.7, 16, false}, {3.9, 16, true}, {3.9, 64, false}, {4.4, 64, true}} {
		c := curve{lengths: []int{1000}}
		half := func(rate float64) sums { return sums{weight: 1000, squared: 1000, positive: 1000 * rate} }
		apart := test.deviations * math.Sqrt(2*.25*(2./1000))
		var total [2]sums
		for side, rate := range [2]float64{.5 + apart/2, .5} {
			young, old := half(rate), half(1-rate)
			c.newest[side][0] = young
			total[side] = sums{weight: 2000, squared: 2000, positive: young.positive + old.positive}
		}
		part, by := c.changed(total, test.comparisons)
		if got := part >= 0; got != test.changed || got != (by > 0) {
			t.Errorf("%v standard errors in one of %d comparisons: changed %t by %v, should be %t", test.deviations, test.comparisons, got, by, test.changed)
		}
	}
	for comparisons := 1; comparisons <= 1024; comparisons *= 2 {
		for _, sigma := range []float64{driftSigma, changeSigma} {
			tail := func(at float64) float64 { return math.Erfc(at / math.Sqrt2) }
			if all, one := float64(comparisons)*tail(ofMany(sigma, comparisons)), tail(sigma); all > one*(1+1e-12) {
				t.Errorf("%d comparisons leave %v to chance, one leaves %v", comparisons, all, one)
			}
		}
	}
}
