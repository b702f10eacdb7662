package fairness

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The numbers are of a program in Python that has the formulas in the form of the authors' code: std_conjmix_margin of drconfseq on
// the clock of the variance, and PolyStitchingBound of confseq.
func TestSequenceAgreesWithTheAuthorsFormulas(t *testing.T) {
	c := Comparison{Criterion: DemographicParity, Tau: 0.05}
	tests := []struct {
		group, versus Trials
		o             SequenceOptions
		lo, hi        float64
	}{
		{Trials{300, 90, 0}, Trials{1000, 140, 0}, SequenceOptions{Level: 0.95}, 0.07281981676433262, 0.24718018323566732},
		{Trials{2000, 200, 0}, Trials{6000, 900, 0}, SequenceOptions{Level: 0.9875}, -0.07921107737827371, -0.020788922621726276},
		{Trials{3000, 900, 632.5}, Trials{7000, 1000, 858.25}, SequenceOptions{Level: 0.95, Exact: true}, 0.0983240643797775, 0.21596164990593678},
	}
	for _, test := range tests {
		s := c.Sequence(test.group, test.versus, test.o)
		if math.Abs(s.Lo-test.lo) > 1e-12 || math.Abs(s.Hi-test.hi) > 1e-12 {
			t.Errorf("%+v: [%v, %v], want [%v, %v]", test.group, s.Lo, s.Hi, test.lo, test.hi)
		}
		if s.Level != test.o.Level || s.NGroup != test.group.Records || s.NVersus != test.versus.Records || s.Reason != "" {
			t.Errorf("the sequence is %+v", s)
		}
	}
}

// With too few decisions of a kind there is no interval, and a reason that names the group.
func TestSequenceNeedsDecisionsOfBothKinds(t *testing.T) {
	c := Comparison{Criterion: EqualOpportunity, Tau: 0.05, Group: sexComparison(DemographicParity).Group, Rest: true}
	enough, few := Trials{Records: 100, Positives: 50}, Trials{Records: 100, Positives: 19}
	for _, test := range []struct {
		group, versus Trials
		exact         bool
		reason        string
	}{
		{enough, few, false, "rest has 19 positive decisions with a positive label and needs 20"},
		{Trials{Records: 100, Positives: 81}, enough, false, c.GroupLabel() + " has 19 negative decisions"},
		{Trials{Records: 40, Positives: 20}, enough, false, ""}, // as few of both as may be
		{Trials{Records: 39, Positives: 20}, enough, false, c.GroupLabel() + " has 19 negative decisions"},
		{enough, Trials{}, true, "rest has no decisions"},
		{few, few, true, ""},
	} {
		s := c.Sequence(test.group, test.versus, SequenceOptions{Level: 0.95, Exact: test.exact})
		if !strings.HasPrefix(s.Reason, test.reason) || (test.reason == "") != (s.Reason == "") {
			t.Errorf("the reason is %q, want %q", s.Reason, test.reason)
		}
		if estimable := s.Reason == ""; estimable == math.IsNaN(s.Lo) || estimable == (s.Status == NotEstimable) {
			t.Errorf("%+v", s)
		}
	}
	if s := (Comparison{Criterion: MeanDifference}).Sequence(enough, enough, SequenceOptions{Level: 0.95}); s.Reason == "" {
		t.Error("means have a sequence")
	}
}

// The share of 300 streams whose sequence ever misses the true difference within 4,000 records, looked at after each, is at most what the
// level allows: 5 % and three standard errors. Rates move together on the way. bench/monitor has the whole study.
func TestSequenceHoldsAtEveryLook(t *testing.T) {
	const runs, records, share = 300, 4000, 0.3
	for _, o := range []SequenceOptions{{Level: 0.95}, {Level: 0.95, Exact: true}} {
		missed := 0
		for run := range runs {
			random := rand.New(rand.NewPCG(uint64(run), 1))
			var sides [2]Trials
			var truth [2]float64
			c := Comparison{Criterion: DemographicParity, Tau: 0.05}
			for i := range records {
				side, p := 1, 0.2+0.1*math.Sin(float64(i)/300)
				if random.Float64() < share {
					side, p = 0, p+0.1
				}
				sides[side].Add(random.Float64() < p)
				truth[side] += p
				s := c.Sequence(sides[0], sides[1], o)
				difference := truth[0]/float64(sides[0].Records) - truth[1]/float64(sides[1].Records)
				if s.Status != NotEstimable && (difference < s.Lo || difference > s.Hi) {
					missed++
					break
				}
			}
		}
		if rate := float64(missed) / runs; rate > 0.05+3*math.Sqrt(0.05*0.95/runs) {
			t.Errorf("exact %v: %d of %d streams miss the difference", o.Exact, missed, runs)
		}
	}
}

// The sequence of a ratio ends where that of 2 (p1 − θ p0)/(1 + θ) begins to contain 0, and contains the true ratio at every look of nearly all streams.
func TestSequenceOfARatio(t *testing.T) {
	c := Comparison{Criterion: ImpactRatio, Tau: 0.8}
	group, versus := Trials{Records: 2000, Positives: 400}, Trials{Records: 3000, Positives: 900}
	s := c.Sequence(group, versus, SequenceOptions{Level: 0.95})
	for _, theta := range []float64{s.Lo, s.Hi} {
		factor := 2 / (1 + theta)
		half := sequenceHalf(1200, factor*factor*(smoothedVariance(group)/2000+theta*theta*smoothedVariance(versus)/3000), 0.05)
		if off := factor * math.Abs(0.2-theta*0.3); math.Abs(off-half) > 1e-9 {
			t.Errorf("at θ = %v the difference is %v and the half width %v", theta, off, half)
		}
	}
	if s.Status != Violated || math.Abs(s.Value-2.0/3) > 1e-12 {
		t.Errorf("%+v", s)
	}
	if same := c.Sequence(versus, group, SequenceOptions{Level: 0.95}); math.Abs(same.Lo-s.Lo) > 1e-9 || math.Abs(same.Hi-s.Hi) > 1e-9 {
		t.Errorf("the sides exchanged: %+v, want %+v", same, s)
	}
	if same := c.Sequence(versus, versus, SequenceOptions{Level: 0.95}); same.Hi != 1 || same.Value != 1 {
		t.Errorf("equal rates: %+v", same)
	}
	const runs, records = 300, 3000
	for _, o := range []SequenceOptions{{Level: 0.95}, {Level: 0.95, Exact: true}} {
		missed, narrow := 0, 0
		for run := range runs {
			random := rand.New(rand.NewPCG(uint64(run), 5))
			var sides [2]Trials
			for i := range records {
				side, p := 1, 0.3
				if random.Float64() < 0.4 {
					side, p = 0, 0.24
				}
				sides[side].Add(random.Float64() < p)
				if i%25 > 0 {
					continue
				}
				if s := c.Sequence(sides[0], sides[1], o); s.Status != NotEstimable && (s.Lo > 0.8 || s.Hi < 0.8) {
					missed++
					break
				}
			}
			if s := c.Sequence(sides[0], sides[1], o); s.Hi-s.Lo < 0.5 {
				narrow++
			}
		}
		if rate := float64(missed) / runs; rate > 0.05+3*math.Sqrt(0.05*0.95/runs) {
			t.Errorf("exact %v: %d of %d streams miss the ratio", o.Exact, missed, runs)
		}
		if !o.Exact && narrow < runs-missed {
			t.Errorf("only %d of %d sequences are narrow in the end", narrow, runs)
		}
	}
}

// A comparison within strata says why it has no sequence.
func TestNoSequenceWithinStrata(t *testing.T) {
	c := Comparison{Criterion: DemographicParity, Tau: 0.05, Strata: "branch"}
	n := Trials{Records: 500, Positives: 200}
	if s := c.Sequence(n, n, SequenceOptions{Level: 0.95}); s.Status != NotEstimable || !strings.Contains(s.Reason, "strata of branch") {
		t.Errorf("%+v", s)
	}
}

// Weighed decisions of equal weight, whatever it is, have the sequence of Sequence; of unequal weight a wider one, that holds.
func TestWeighedSequence(t *testing.T) {
	c := Comparison{Criterion: EqualOpportunity, Tau: 0.05, Group: sexComparison(EqualOpportunity).Group, Rest: true}
	o := SequenceOptions{Level: .95}
	count := func(t Trials, weight float64) (n Count) {
		for i := range t.Records {
			n.Add(i < t.Positives, weight)
		}
		return n
	}
	group, versus := Trials{Records: 500, Positives: 300}, Trials{Records: 1500, Positives: 800}
	for _, weight := range []float64{1, .25, 7} {
		got, want := c.WeighedSequence(count(group, weight), count(versus, weight), o), c.Sequence(group, versus, o)
		if math.Abs(got.Lo-want.Lo) > 1e-9 || math.Abs(got.Hi-want.Hi) > 1e-9 || math.Abs(got.Value-want.Value) > 1e-9 || got.Status != want.Status ||
			got.NGroup != 500 || got.NVersus != 1500 || got.Method != MethodWeighedSequence {
			t.Errorf("weight %v: %+v, want %+v", weight, got, want)
		}
	}
	for _, test := range []struct {
		c      Comparison
		n      Count
		o      SequenceOptions
		reason string
	}{
		{c, Count{}, o, "with a positive label that are worth 0, and needs 20 of either kind"},
		{c, count(Trials{Records: 100, Positives: 90}, 3), o, "worth 100, and needs 20"},
		{Comparison{Criterion: ImpactRatio, Tau: .8}, count(group, 1), o, "no confidence sequence of weighted decisions"},
		{c, count(group, 1), SequenceOptions{Level: .95, Exact: true}, "no confidence sequence of weighted decisions"},
	} {
		if s := test.c.WeighedSequence(count(group, 1), test.n, test.o); s.Status != NotEstimable || !strings.Contains(s.Reason, test.reason) || !math.IsNaN(s.Lo) {
			t.Errorf("%+v, want %q", s, test.reason)
		}
	}
	const runs, records = 300, 6000
	missed := 0
	for run := range runs {
		random := rand.New(rand.NewPCG(uint64(run), 9))
		var sides [2]Count
		for i := range records {
			side, rich := random.IntN(2), random.IntN(2) == 0
			known := .2
			if rich != (side == 1) {
				known = .8
			}
			if positive := random.Float64() < map[bool]float64{true: .8, false: .3}[rich]; random.Float64() < known {
				sides[side].Add(positive, .5/known)
			}
			if i%25 > 0 {
				continue
			}
			if s := c.WeighedSequence(sides[0], sides[1], o); s.Lo > 0 || s.Hi < 0 {
				missed++
				break
			}
		}
	}
	if rate := float64(missed) / runs; rate > .05+3*math.Sqrt(.05*.95/runs) {
		t.Errorf("%d of %d sequences miss the difference", missed, runs)
	}
}

func TestShareLevel(t *testing.T) {
	for n, want := range map[int]float64{0: 0.95, 1: 0.95, 4: 0.9875} {
		if got := ShareLevel(0.95, n); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d comparisons: %v, want %v", n, got, want)
		}
	}
}

// TestSettledVerdicts: a verdict is told at once, and taken back once the sequence passes tau by a tenth of its width.
func TestSettledVerdicts(t *testing.T) {
	c := Comparison{Criterion: DemographicParity, Tau: 0.05}
	ratio := Comparison{Criterion: ImpactRatio, Tau: 0.8}
	for _, test := range []struct {
		comparison Comparison
		before     Status
		lo, hi     float64
		is, want   Status
	}{
		{c, NotEstimable, 0.01, 0.06, Inconclusive, Inconclusive},
		{c, Inconclusive, 0.0, 0.05, Met, Met},
		{c, Met, -0.04, 0.058, Inconclusive, Met},
		{c, Met, -0.058, 0.04, Inconclusive, Met},
		{c, Met, -0.04, 0.061, Inconclusive, Inconclusive},
		{c, Inconclusive, -0.04, 0.051, Inconclusive, Inconclusive},
		{c, Violated, 0.041, 0.141, Inconclusive, Violated},
		{c, Violated, -0.141, -0.041, Inconclusive, Violated},
		{c, Violated, 0.039, 0.139, Inconclusive, Inconclusive},
		{c, Met, 0.051, 0.09, Violated, Violated},
		{c, Violated, -0.04, 0.04, Met, Met},
		{ratio, Met, 0.79, 0.95, Inconclusive, Met},
		{ratio, Violated, 0.6, 0.81, Inconclusive, Violated},
		{ratio, Violated, 0.6, 0.85, Inconclusive, Inconclusive},
	} {
		s := Sequence{Lo: test.lo, Hi: test.hi, Status: test.is}
		if got := test.comparison.Settled(test.before, s); got != test.want {
			t.Errorf("%s [%v, %v] after %s: %s, want %s", test.comparison.Criterion, test.lo, test.hi, test.before, got, test.want)
		}
	}
	none := Sequence{Lo: math.NaN(), Hi: math.NaN(), Status: NotEstimable}
	if got := c.Settled(Inconclusive, none); got != NotEstimable {
		t.Errorf("after an open verdict nothing is estimable: %s", got)
	}
	if got := c.Settled(Violated, none); got != NotEstimable {
		t.Errorf("without a sequence: %s", got)
	}
}

// TestSharesSumToOne, and the values of Each have less the later they come.
func TestSharesSumToOne(t *testing.T) {
	one := Comparison{Name: "one", Criterion: DemographicParity, Tau: 0.1, Rest: true, Group: []Term{Is("a", "x")}}
	odds := Comparison{Name: "odds", Criterion: EqualizedOdds, Tau: 0.1, Rest: true, Group: []Term{Is("a", "y")}}
	each := Comparison{Name: "each", Criterion: DemographicParity, Tau: 0.1, Rest: true, Each: true, Group: []Term{{Attribute: "b"}}}
	g, err := NewGrouper([]Comparison{one, each, odds})
	if err != nil {
		t.Fatal(err)
	}
	shares, sum := g.Shares(), 0.0
	for i, share := range shares {
		sum += share
		want := 0.25
		if c := g.Comparisons()[i]; c.Each {
			want = 0.25 / 4.0584951 / float64(i) // the places are behind the first comparison
		}
		if math.Abs(share-want) > 1e-8 {
			t.Errorf("comparison %d has %v, want %v", i, share, want)
		}
	}
	if len(shares) != 3+MostEach || math.Abs(sum-1) > 1e-12 {
		t.Errorf("%d shares sum to %v", len(shares), sum)
	}
	if len((&Grouper{}).Shares()) != 0 {
		t.Error("nothing has a share")
	}
}
