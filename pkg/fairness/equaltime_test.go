package fairness

import (
	"math"
	"strings"
	"testing"
)

// at is Differences of n blocks of one record of the group and two of versus each, whose differences are given in turn.
func at(n int, differences ...float64) (d Differences) {
	for i := range n {
		x := differences[i%len(differences)]
		d.add(&block{Part{Wanted: 1, Taken: 1, Sum: x}, Part{Wanted: 2, Taken: 2}})
	}
	return d
}

// TestAtEqualTimeByHand: mean, spread and interval are those of the formulas in the comment, written out again from the list of differences.
func TestAtEqualTimeByHand(t *testing.T) {
	c := Comparison{Criterion: DemographicParity, Tau: 0.9}
	group, versus := Trials{Records: 500, Positives: 250}, Trials{Records: 1000, Positives: 500}
	values := []float64{1, 0, 0, 1, 0.5}
	for _, n := range []int{20, 21, 300} {
		d := at(n, values...)
		mean, squares := 0.0, 0.0
		for i := range n {
			mean += values[i%5] / float64(n)
		}
		for i := range n {
			squares += (values[i%5] - mean) * (values[i%5] - mean)
		}
		if d.Blocks != int64(n) || d.Records != [2]int64{int64(n), 2 * int64(n)} || math.Abs(d.Mean-mean) > 1e-12 || math.Abs(d.Squares-squares) > 1e-9 || !d.Valid() {
			t.Fatalf("%d: %+v, want a mean of %v and squares of %v", n, d, mean, squares)
		}
		n1, n0 := float64(n), 2*float64(n)
		variance := squares/(n1-1)/n1 + 2/(n1+4)/(n1+4) + 2/(n0+4)/(n0+4)
		doubt := 2 * math.Log(1/0.05)
		rho := (doubt + math.Log(1+doubt)) / sequenceInformation
		h := n1 * n0 / (n1 + n0)
		half := math.Sqrt(2*(h*h*variance+1/rho)*(math.Log(h*h*variance*rho+1)/2+math.Log(1/0.05))) / h
		s := c.AtEqualTime(&d, group, versus, SequenceOptions{Level: 0.95})
		if math.Abs(s.Value-mean) > 1e-12 || math.Abs(s.Lo-max(-1, mean-half)) > 1e-12 || math.Abs(s.Hi-min(1, mean+half)) > 1e-12 ||
			s.NGroup != int64(n) || s.NVersus != 2*int64(n) || s.Method != MethodPairedSequence || s.Level != 0.95 || s.Reason != "" {
			t.Errorf("%d: %+v, want %v ± %v", n, s, mean, half)
		}
	}
	// Far from 0 with few blocks, the interval ends at the largest difference that there is.
	for _, sign := range []float64{-1, 1} {
		d := at(20, sign, sign, 0.9*sign)
		s := c.AtEqualTime(&d, group, versus, SequenceOptions{Level: 0.95})
		if end := map[float64]float64{-1: s.Lo, 1: s.Hi}[sign]; end != sign || s.Value*sign < 0.9 {
			t.Errorf("%+v", s)
		}
	}
}

// TestVerdictsAtEqualTime are those of the differences of the blocks, whatever the totals say.
func TestVerdictsAtEqualTime(t *testing.T) {
	c := Comparison{Criterion: DemographicParity, Tau: 0.2}
	low, high := Trials{Records: 50_000, Positives: 10_000}, Trials{Records: 50_000, Positives: 40_000}
	for name, test := range map[string]struct {
		blocks []float64
		want   Status
	}{
		"met": {[]float64{0}, Met}, "violated": {[]float64{0.9}, Violated}, "the other way round": {[]float64{-0.9}, Violated}, "at tau": {[]float64{0.2}, Inconclusive},
	} {
		d := at(5000, test.blocks...)
		for totals, group := range map[string]Trials{"alike": low, "apart": high} {
			if s := c.AtEqualTime(&d, group, low, SequenceOptions{Level: 0.95}); s.Status != test.want {
				t.Errorf("%s, totals %s: %+v", name, totals, s)
			}
		}
	}
}

// TestNoDifferenceAtEqualTime: each case in which there is none says why, and has no numbers.
func TestNoDifferenceAtEqualTime(t *testing.T) {
	enough := Trials{Records: 500, Positives: 250}
	many := at(100, 0, 1)
	few := at(19, 0, 1)
	for _, test := range []struct {
		c      Comparison
		d      Differences
		group  Trials
		reason string
	}{
		{Comparison{Criterion: DemographicParity, Tau: 0.1}, few, enough, "19 of 20 blocks"},
		{Comparison{Criterion: DemographicParity, Tau: 0.1}, many, Trials{Records: 500, Positives: 1}, "has 1 positive decision"},
		{Comparison{Criterion: ImpactRatio, Tau: 0.8}, many, enough, "the impact ratio has no difference"},
		{Comparison{Criterion: MeanDifference, Tau: 1}, many, enough, ""},
	} {
		s := test.c.AtEqualTime(&test.d, test.group, enough, SequenceOptions{Level: 0.95})
		if s.Status != NotEstimable || !strings.Contains(s.Reason, test.reason) || s.Reason == "" || !math.IsNaN(s.Value) || !math.IsNaN(s.Lo) || !math.IsNaN(s.Hi) ||
			s.NGroup != test.d.Records[0] || s.Method != MethodPairedSequence {
			t.Errorf("%+v, want a reason with %q", s, test.reason)
		}
	}
}

// TestDifferencesThatCannotBe: what is read from a state is no sum of blocks if a number is beyond what blocks can add up to.
func TestDifferencesThatCannotBe(t *testing.T) {
	good := Differences{Blocks: 5, Records: [2]int64{5, 5 * blockLarger}, Mean: -1, Squares: 21}
	for _, valid := range []Differences{{}, good, {Blocks: 5, Records: [2]int64{5 * blockLarger, 5}, Mean: 1}} {
		if !valid.Valid() {
			t.Errorf("%+v cannot be", valid)
		}
	}
	for _, change := range []func(d *Differences){
		func(d *Differences) { d.Blocks = -1 }, func(d *Differences) { d.Records[0] = 4 }, func(d *Differences) { d.Records[1] = 5*blockLarger + 1 },
		func(d *Differences) { d.Mean = -1.001 }, func(d *Differences) { d.Mean = 1.001 }, func(d *Differences) { d.Mean = math.NaN() },
		func(d *Differences) { d.Squares = -1 }, func(d *Differences) { d.Squares = 21.001 }, func(d *Differences) { d.Squares = math.NaN() },
	} {
		bad := good
		change(&bad)
		if bad.Valid() {
			t.Errorf("%+v can be", bad)
		}
	}
}
