package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// predictions are distributions with mean 0 and standard deviation 1.
var predictions = map[string]func(*rand.Rand) float64{
	"normal":       func(r *rand.Rand) float64 { return r.NormFloat64() },
	"exponential":  func(r *rand.Rand) float64 { return r.ExpFloat64() - 1 },
	"lognormal":    func(r *rand.Rand) float64 { return (math.Exp(r.NormFloat64()) - math.Sqrt(math.E)) / 2.1612 },
	"-lognormal":   func(r *rand.Rand) float64 { return -(math.Exp(r.NormFloat64()) - math.Sqrt(math.E)) / 2.1612 },
	"of two kinds": func(r *rand.Rand) float64 { return 2*float64(r.IntN(2)) - 1 },
}

// A plain detector that keeps all predictions and reads the formulas from the comment agrees bit for bit, and every state is valid.
func TestMeanDetectorAgreesWithAPlainOne(t *testing.T) {
	const limit = 0.2
	random := rand.New(rand.NewPCG(8, 1))
	var d MeanDetector
	var bets [2][detectorBets]float64
	var taken [2][]float64 // of the block
	var before, seen [2]int64
	ended, mean, variance := 0, 0.0, 0.0
	for i := range 20_000 {
		share, spread := 0.1, 1.0
		if i > 10_000 {
			share, spread = 0.8, 3
		}
		side, s := Versus, 1
		if random.Float64() < share {
			side, s = Group, 0
		}
		x := spread * random.ExpFloat64()
		if i%1000 == 7 {
			x = 1e15 // which counts as 1e12
		}
		d.Add(side, x, limit)
		if !d.Valid() {
			t.Fatalf("after %d records the detector is not valid: %+v", i+1, d)
		}
		want := blockOf(before)
		seen[s]++
		if int64(len(taken[s])) < want[s] {
			taken[s] = append(taken[s], min(x, 1e12))
		}
		if int64(len(taken[0])) < want[0] || int64(len(taken[1])) < want[1] {
			continue
		}
		average := func(x []float64) float64 {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			return sum / float64(len(x))
		}
		difference := average(taken[0]) - average(taken[1])
		c, off := float64(4*math.Sqrt(variance))+2*limit, difference-mean
		if ended >= 20 {
			cut := math.Max(-c, math.Min(c, difference))
			for b, lambda := range detectorLambda {
				for k, gain := range [...]float64{cut - limit, -cut - limit} {
					bets[k][b] = (bets[k][b] + float64(want[0]+want[1])) * (1 + float64(lambda*(gain/(c+limit))))
				}
			}
			off = math.Max(-c, math.Min(c, off))
		}
		ended = min(ended+1, 1000)
		weight := 1 / float64(ended)
		mean += float64(weight * off)
		variance = (1 - weight) * (variance + float64(weight*float64(off*off)))
		taken, before = [2][]float64{}, seen
	}
	for b := range detectorLambda {
		if d.Bets[b] != bets[0][b] || d.Bets[b+detectorBets] != bets[1][b] {
			t.Errorf("bet %d has evidence %v and %v, want %v and %v", b, d.Bets[b], d.Bets[b+detectorBets], bets[0][b], bets[1][b])
		}
	}
	if d.Add(Neither, 1, limit) || d.Add(Unknown, 1, limit) || d.Add(Excluded, 1, limit) {
		t.Error("a record on no side ends a block")
	}
}

// At a difference of the limit all the time, which is the worst that is allowed, the mean number of records to an alarm is at least the
// threshold, whatever the distribution: also if the spread of the predictions changes on the way. With 200 streams its standard error
// is about 7 %.
func TestRunLengthOfMeans(t *testing.T) {
	const runs, threshold, limit = 200, 3000, 0.3
	for name, draw := range predictions {
		for _, share := range []float64{0.02, 0.3} {
			records := 0
			for run := range runs {
				random := rand.New(rand.NewPCG(uint64(run), 2))
				var d MeanDetector
				for n := 0; d.Evidence() < threshold && n < 20*threshold; n++ {
					records++
					x := draw(random)
					if n > 6000 {
						x *= 4
					}
					if random.Float64() < share {
						d.Add(Group, x+limit, limit)
					} else {
						d.Add(Versus, x, limit)
					}
				}
			}
			t.Logf("%s, share %v: %d records", name, share, records/runs)
			if records < runs*threshold*9/10 {
				t.Errorf("%s, share %v: an alarm after %d records in the mean, want at least %d", name, share, records/runs, threshold)
			}
		}
	}
}

// The alarm comes whatever the unit, without any spread, and after a wild prediction.
func TestMeanDetectorFindsAChange(t *testing.T) {
	alarmAfter := func(unit, spread float64, wild bool) (records int) {
		random := rand.New(rand.NewPCG(3, 3))
		var d MeanDetector
		for n := range 100_000 {
			side, x := Versus, unit*float64(spread*random.NormFloat64())
			if random.Float64() < 0.3 {
				side = Group
				if n >= 5000 {
					x += 3 * unit
				}
			}
			if wild && n == 4000 {
				x = math.NaN()
			}
			if d.Add(side, x, 1.4*unit) && d.Evidence() >= 1e6 {
				return n - 5000
			}
		}
		return math.MaxInt
	}
	one := alarmAfter(1, 5, false)
	for _, c := range []struct {
		unit, spread float64
		wild         bool
		most         int
	}{{1, 5, false, 4000}, {1 << 20, 5, false, one}, {1.0 / (1 << 20), 5, false, one}, {1, 0, false, 800}, {1, 0.1, false, 800}, {1, 5, true, 4000}} {
		if after := alarmAfter(c.unit, c.spread, c.wild); after < 0 || after > c.most {
			t.Errorf("%+v: an alarm after %d records", c, after)
		}
	}
	var d MeanDetector
	for range 1000 { // beyond what can be exceeded
		d.Add(Group, math.Inf(1), math.MaxFloat64)
		d.Add(Versus, math.Inf(-1), math.MaxFloat64)
	}
	if !d.Valid() || d.Evidence() > 1e6 {
		t.Errorf("%+v", d)
	}
}
