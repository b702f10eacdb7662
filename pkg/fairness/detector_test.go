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
	var bets [2][detectorBets]float64
	var taken [2][]float64 // of the block
	var before, seen [2]int64
	for i := range 20_000 {
		share := 0.1
		if i > 10_000 {
			share = 0.8
		}
		side, s := Versus, 1
		if random.Float64() < share {
			side, s = Group, 0
		}
		x := random.Float64() < 0.3
		d.Add(side, x, c)
		if !d.Valid() {
			t.Fatalf("after %d records the detector is not valid: %+v", i+1, d)
		}
		want := blockOf(before)
		seen[s]++
		if int64(len(taken[s])) < want[s] {
			value := 0.0
			if x {
				value = 1
			}
			taken[s] = append(taken[s], value)
		}
		if int64(len(taken[0])) == want[0] && int64(len(taken[1])) == want[1] {
			mean := func(x []float64) float64 {
				sum := 0.0
				for _, v := range x {
					sum += v
				}
				return sum / float64(len(x))
			}
			group, versus := mean(taken[0]), mean(taken[1])
			for b, lambda := range detectorLambda {
				for k, gain := range [...]float64{group - versus - tau, versus - group - tau} {
					bets[k][b] = (bets[k][b] + float64(want[0]+want[1])) * (1 + float64(lambda*gain))
				}
			}
			taken, before = [2][]float64{}, seen
		}
	}
	for b := range detectorLambda {
		if d.Bets[b] != bets[0][b] || d.Bets[b+detectorBets] != bets[1][b] {
			t.Errorf("bet %d has evidence %v and %v, want %v and %v", b, d.Bets[b], d.Bets[b+detectorBets], bets[0][b], bets[1][b])
		}
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
