package fairness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What a bet multiplies its evidence by is at most 1 in the mean, for all rates that differ by at most tau: the mean is linear in the
// difference, so that the ends are enough. All outcomes of a block are gone through.
func TestABetIsFairWithinTau(t *testing.T) {
	const tau = 0.05
	for _, wanted := range [][2]int64{{2, 2}, {2, 5}, {7, 2}} {
		for _, lambda := range detectorLambda {
			for _, versus := range []float64{0, 0.01, 0.3, 0.5, 0.95} {
				for _, sign := range []float64{1, -1} {
					mean, total := 0.0, 0.0
					for k1 := range wanted[0] + 1 {
						for k0 := range wanted[1] + 1 {
							p := chance(wanted[0], k1, versus+tau) * chance(wanted[1], k0, versus)
							d := float64(k1)/float64(wanted[0]) - float64(k0)/float64(wanted[1])
							mean += p * bet(1, lambda, sign*d-tau)
							total += p
						}
					}
					if mean > 1+1e-12 || math.Abs(total-1) > 1e-12 {
						t.Errorf("blocks of %v, λ %v, rates %v and %v: the mean factor is %v (chances sum to %v)", wanted, lambda, versus+tau, versus, mean, total)
					}
				}
			}
		}
	}
}

// Evidence is never negative, whatever tau: the worst block loses 1 + tau.
func TestALargeTauKeepsEvidencePositive(t *testing.T) {
	for _, tau := range []float64{0.1, 0.12, 0.3, 0.9, 0.99} {
		var d Detector
		c := &Comparison{Criterion: DemographicParity, Tau: tau}
		for range 40 {
			d.Add(Group, false, c)
			d.Add(Versus, true, c)
			if !d.Valid() {
				t.Fatalf("tau %v: %+v", tau, d)
			}
		}
	}
}

// So it is of a ratio: the gain is at most 0 in the mean where the ratio is at least tau, and a ratio below it raises an alarm.
func TestDetectorOfARatio(t *testing.T) {
	c := &Comparison{Criterion: ImpactRatio, Tau: 0.8}
	alarms := func(rate float64) (alarms int) {
		for run := range 100 {
			random := rand.New(rand.NewPCG(uint64(run), 6))
			var d Detector
			for range 10_000 {
				if random.Float64() < 0.4 {
					d.Add(Group, random.Float64() < rate, c)
				} else {
					d.Add(Versus, random.Float64() < 0.5, c)
				}
				if d.Evidence() >= 50_000 {
					alarms++
					break
				}
			}
		}
		return alarms
	}
	// At a ratio of tau, P(alarm within n records) is at most n/A = 0.2; it is far less here.
	if at, below, above := alarms(0.4), alarms(0.25), alarms(1); at > 20 || below != 100 || above != 100 {
		t.Errorf("%d alarms at tau, %d and %d below it", at, below, above)
	}
}

// A plain detector that keeps all decisions and reads the formula from the comment agrees bit for bit, and every state is valid.
func TestDetectorAgreesWithAPlainOne(t *testing.T) {
	const tau = 0.05
	random := rand.New(rand.NewPCG(8, 1))
	var d Detector
	c := &Comparison{Criterion: DemographicParity, Tau: tau}
	var bets [2][2][detectorBets]float64
	var plain plainBlocks
	share, mean := 0.1, 1
	next := runs(random, share, mean)
	for i := range 40_000 {
		if i%10_000 == 0 {
			share, mean = 0.1+float64(i)/50_000, []int{1, 20, 300, 2000}[i/10_000]
			next = runs(random, share, mean)
		}
		side, s := next()
		x := random.Float64() < 0.3
		value := 0.0
		if x {
			value = 1
		}
		got := d.Add(side, x, c)
		if !d.Valid() {
			t.Fatalf("after %d records the detector is not valid: %+v", i+1, d)
		}
		parts, complete := plain.add(s, value)
		if got != complete {
			t.Fatalf("after %d records: a block ended: %v, want %v", i+1, got, complete)
		}
		if complete {
			group, versus := plainMean(parts[0], plainValue), plainMean(parts[1], plainValue)
			plain.collect(&bets, parts, [2]float64{group - versus - tau, versus - group - tau})
		}
	}
	for order := range bets {
		for b := range detectorLambda {
			if d.Bets[order][b] != bets[order][0][b] || d.Bets[order][b+detectorBets] != bets[order][1][b] {
				t.Errorf("order %d, bet %d has evidence %v and %v, want %v and %v", order, b, d.Bets[order][b], d.Bets[order][b+detectorBets], bets[order][0][b], bets[order][1][b])
			}
		}
	}
	if bets[0] == bets[1] {
		t.Error("all blocks count in both orders: the test does not see runs")
	}
	if d.Add(Neither, true, c) || d.Add(Unknown, true, c) || d.Add(Excluded, true, c) {
		t.Error("a record on no side ends a block")
	}
}

// At a difference of tau all the time, which is the worst that is allowed, the mean number of records to an alarm is at least the
// threshold. With 400 streams its standard error is about 5 %.
func TestRunLength(t *testing.T) {
	const runs, threshold, tau = 400, 500, 0.05
	records := 0
	for run := range runs {
		random := rand.New(rand.NewPCG(uint64(run), 2))
		var d Detector
		c := &Comparison{Criterion: DemographicParity, Tau: tau}
		for d.Evidence() < threshold {
			records++
			if random.Float64() < 0.3 {
				d.Add(Group, random.Float64() < 0.35, c)
			} else {
				d.Add(Versus, random.Float64() < 0.3, c)
			}
		}
	}
	if mean := float64(records) / runs; mean < threshold {
		t.Errorf("the mean run length is %.0f records, below the %d that are promised", mean, threshold)
	}
}
