package release

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// The sequence misses the true mean, at any of its looks, in at most 5 % of streams, up to chance: for differences that are normal, that are
// mostly 0, that are skewed, and for a version that is rarely, but badly, wrong.
func TestThePairedSequenceHoldsItsLevel(t *testing.T) {
	const streams, records, first = 200, 20_000, 1000
	rarely := func(size float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 {
			if r.Float64() < 0.005/size {
				return size
			}
			return 0
		}
	}
	for name, c := range map[string]struct {
		unseen float64
		draw   func(*rand.Rand) float64 // with a mean of 0.005
	}{
		"normal": {unseenLoss, func(r *rand.Rand) float64 { return 0.005 + 0.2*r.NormFloat64() }},
		"decisions": {unseenWrong, func(r *rand.Rand) float64 {
			switch u := r.Float64(); {
			case u < 0.0525:
				return 1
			case u < 0.1:
				return -1
			}
			return 0
		}},
		"skewed":                  {unseenLoss, func(r *rand.Rand) float64 { return 0.005 + 0.1*(r.ExpFloat64()-1) }},
		"rarely wrong":            {unseenWrong, rarely(1)},
		"rarely, but badly wrong": {unseenLoss, rarely(2)},
		"as badly as can be":      {unseenLoss, rarely(6.9)},
	} {
		missed, passed := 0, 0
		for seed := range uint64(streams) {
			random := rand.New(rand.NewPCG(seed, 8))
			var p pair
			misses, passes := false, false
			for range records {
				p.add(c.draw(random))
				if p.records < first || p.records%64 != 0 {
					continue
				}
				lo, hi := p.interval(0.95, c.unseen)
				misses = misses || lo > 0.005 || hi < 0.005
				passes = passes || hi <= 0.005
			}
			if misses {
				missed++
			}
			if passes {
				passed++
			}
		}
		t.Logf("%s: missed %d, passed %d of %d", name, missed, passed, streams)
		if most := streams * 0.05; float64(missed) > most+3*math.Sqrt(most) || float64(passed) > most+3*math.Sqrt(most) {
			t.Errorf("%s: %d of %d streams miss the mean, and %d take it to be below", name, missed, streams, passed)
		}
	}
}

// The running sums agree with those over a list.
func TestAPairIsTheMeanAndTheSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var p pair
	var all []float64
	for range 1000 {
		x := random.NormFloat64() + 100
		all = append(all, x)
		p.add(x)
	}
	mean, squares := 0.0, 0.0
	for _, x := range all {
		mean += x / float64(len(all))
	}
	for _, x := range all {
		squares += (x - mean) * (x - mean)
	}
	if math.Abs(p.mean-mean) > 1e-9 || math.Abs(p.squares-squares) > 1e-6 {
		t.Errorf("%v and %v, not %v and %v", p.mean, p.squares, mean, squares)
	}
}

// Two versions that have never differed are not known to agree before some hundred records.
func TestEqualVersionsAreNotKnownToBeEqualAtOnce(t *testing.T) {
	var p pair
	for range 400 {
		p.add(0)
	}
	if _, hi := p.interval(0.95, 1); against(-1, hi, 0.005) != fairness.Inconclusive {
		t.Errorf("hi %v after 400 records", hi)
	}
	for range 4000 {
		p.add(0)
	}
	if lo, hi := p.interval(0.95, 1); against(lo, hi, 0.005) != fairness.Met {
		t.Errorf("%v to %v after 4,400 records", lo, hi)
	}
}

// The gain of an earlier version is outside its sequence in at most 5 % of streams, up to chance: of rates, and of mean predictions.
func TestTheGainHoldsItsLevel(t *testing.T) {
	const streams = 200
	for name, empty := range map[string]func() contrast{
		"rates": func() contrast { return new(rateContrast) },
		"means": func() contrast { return new(meanContrast) },
	} {
		missed, seen := 0, 0
		for seed := range uint64(streams) {
			random := rand.New(rand.NewPCG(seed, 9))
			c, misses := empty(), false
			for n := range 10_000 {
				side, rate := fairness.Versus, 0.25
				if random.Float64() < 0.3 {
					side, rate = fairness.Group, 0.4 // of the stable version; the earlier one decides 0.1 of these otherwise
				}
				stable := random.Float64() < rate
				earlier := stable && (side == fairness.Versus || random.Float64() >= 0.25)
				one, other := Decision{Positive: stable}, Decision{Positive: earlier}
				if common := random.ExpFloat64(); name == "means" {
					one.Score, other.Score = common, common+0.2*random.ExpFloat64()-0.2
					if side == fairness.Group {
						one.Score += 0.1
					}
				}
				c.add(side, one, other)
				if n < 300 || n%64 != 0 || !c.enough() {
					continue
				}
				value, lo, hi := c.gain(0.95)
				misses = misses || lo > 0.1 || hi < 0.1
				if n == 9_920 && lo > 0 && math.Abs(value-0.1) < 0.03 {
					seen++
				}
			}
			if misses {
				missed++
			}
		}
		t.Logf("%s: missed %d of %d", name, missed, streams)
		if most := streams * 0.05; float64(missed) > most+3*math.Sqrt(most) || seen < streams*9/10 {
			t.Errorf("%s: %d of %d streams miss the gain, and %d show it", name, missed, streams, seen)
		}
	}
}

// The mean difference of predictions is outside its sequence in at most 5 % of streams, up to chance.
func TestTheMeanDifferenceHoldsItsLevel(t *testing.T) {
	const streams = 200
	missed := 0
	for seed := range uint64(streams) {
		random := rand.New(rand.NewPCG(seed, 10))
		var k means
		for n := range 10_000 {
			side, at := fairness.Versus, 0.0
			if random.Float64() < 0.1 {
				side, at = fairness.Group, 2
			}
			k.add(side, at+5*random.ExpFloat64())
			if n < 500 || n%64 != 0 || k.sides[0].records < 100 {
				continue
			}
			if _, lo, hi := k.interval(0.95); lo > 2 || hi < 2 {
				missed++
				break
			}
		}
	}
	t.Logf("missed %d of %d", missed, streams)
	if most := streams * 0.05; float64(missed) > most+3*math.Sqrt(most) {
		t.Errorf("%d of %d streams miss the difference", missed, streams)
	}
}
