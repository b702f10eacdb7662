package fairness

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What a verdict and an alarm are said to need is within a quarter of the median of 101 streams.
func TestNeedsAgreeWithSimulation(t *testing.T) {
	for _, n := range []Needs{
		{0.29, 0.14, 0.3, 0.05}, {0.14, 0.29, 0.1, 0.05}, {0.3, 0.2, 0.5, 0.05}, {0.1, 0.4, 0.3, 0.1}, {0.3, 0.3, 0.3, 0.05}, {0.6, 0.7, 0.8, 0.05},
	} {
		const runs, runLength = 101, 50_000
		var verdicts, alarms []float64
		for run := range runs {
			random := rand.New(rand.NewPCG(uint64(run), 3))
			draw := func(rates [2]float64) (Side, bool) {
				if random.Float64() < n.ShareGroup {
					return Group, random.Float64() < rates[0]
				}
				return Versus, random.Float64() < rates[1]
			}
			c := Comparison{Criterion: DemographicParity, Tau: n.Tau}
			var sides [2]Trials
			records := 0
			for status := NotEstimable; status != Met && status != Violated; records++ {
				side, x := draw([2]float64{n.RateGroup, n.RateVersus})
				sides[side-Group].Add(x)
				status = c.Sequence(sides[0], sides[1], SequenceOptions{Level: 0.95}).Status
			}
			verdicts = append(verdicts, float64(records))
			if math.Abs(n.RateGroup-n.RateVersus) <= n.Tau {
				continue
			}
			var d Detector
			for range 5000 {
				side, x := draw([2]float64{n.RateVersus, n.RateVersus})
				d.Add(side, x, &c)
			}
			for records = 0; d.Evidence() < runLength; records++ {
				side, x := draw([2]float64{n.RateGroup, n.RateVersus})
				d.Add(side, x, &c)
			}
			alarms = append(alarms, float64(records))
		}
		near := func(what string, said float64, all []float64) {
			slices.Sort(all)
			if median := all[len(all)/2]; !(math.Abs(math.Log(said/median)) < math.Log(1.25)) {
				t.Errorf("%+v: %s is said to need %.0f records; the median is %.0f", n, what, said, median)
			}
		}
		near("a verdict", n.Verdict(0.95), verdicts)
		if said := n.Alarm(runLength); alarms == nil {
			if !math.IsInf(said, 1) {
				t.Errorf("%+v: an alarm without a reason after %v records", n, said)
			}
		} else {
			near("an alarm", said, alarms)
		}
	}
}

// Where no number of records is enough, the answer is infinite.
func TestNeedsWithoutEnd(t *testing.T) {
	for _, n := range []Needs{{0.35, 0.3, 0.3, 0.05}, {0, 0.3, 0.3, 0.05}, {0.3, 1, 0.3, 0.05}} {
		if records := n.Verdict(0.95); !math.IsInf(records, 1) {
			t.Errorf("%+v needs %v records for a verdict", n, records)
		}
	}
	if records := (Needs{0.35, 0.3, 0.3, 0.05}).Alarm(1000); !math.IsInf(records, 1) {
		t.Errorf("a difference of tau gives an alarm after %v records", records)
	}
}

// The mean length of a block against its simulation.
func TestBlockLength(t *testing.T) {
	for _, share := range []float64{0.05, 0.3, 0.5, 0.9} {
		random := rand.New(rand.NewPCG(4, 4))
		wanted := blockOf([2]int64{int64(1e6 * share), int64(1e6 * (1 - share))})
		const records = 200_000
		blocks := 0
		var b Blocks
		for range records {
			side := Versus
			if random.Float64() < share {
				side = Group
			}
			if _, complete := b.add(side, 0); complete {
				blocks++
			}
		}
		if got, want := blockLength(wanted, share), records/float64(blocks); math.Abs(got/want-1) > 0.03 {
			t.Errorf("share %v: %v records, simulated %v", share, got, want)
		}
	}
}
