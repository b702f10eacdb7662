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
	var bets [2][2][detectorBets]float64
	var plain plainBlocks
	ended, mean, variance := 0, 0.0, 0.0
	next := runs(random, 0.1, 1)
	for i := range 30_000 {
		spread := 1.0
		if i > 10_000 {
			spread = 3
		}
		if i == 10_000 || i == 20_000 {
			next = runs(random, 0.8, i/50)
		}
		side, s := next()
		x := spread * random.ExpFloat64()
		if i%1000 == 7 {
			x = 1e15 // which counts as 1e12
		}
		d.Add(side, x, limit)
		if !d.Valid() {
			t.Fatalf("after %d records the detector is not valid: %+v", i+1, d)
		}
		parts, complete := plain.add(s, min(x, 1e12))
		if !complete {
			continue
		}
		difference := plainMean(parts[0], plainValue) - plainMean(parts[1], plainValue)
		c, off := float64(4*math.Sqrt(variance))+2*limit, difference-mean
		if ended >= 20 {
			cut := math.Max(-c, math.Min(c, difference))
			plain.collect(&bets, parts, [2]float64{(cut - limit) / (c + limit), (-cut - limit) / (c + limit)})
			off = math.Max(-c, math.Min(c, off))
		}
		ended = min(ended+1, 1000)
		weight := 1 / float64(ended)
		mean += float64(weight * off)
		variance = (1 - weight) * (variance + float64(weight*float64(off*off)))
	}
	for order := range bets {
		for b := range detectorLambda {
			if d.Bets[order][b] != bets[order][0][b] || d.Bets[order][b+detectorBets] != bets[order][1][b] {
				t.Errorf("order %d, bet %d has evidence %v and %v, want %v and %v", order, b, d.Bets[order][b], d.Bets[order][b+detectorBets], bets[order][0][b], bets[order][1][b])
			}
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
