package fairness

import (
	"math"
	"testing"
)

// TestStatesThatCannotBe: of blocks that were read from somewhere each field is looked at, at its bounds and just beyond them.
func TestStatesThatCannotBe(t *testing.T) {
	good := func() *Blocks {
		return &Blocks{Seen: [2]int64{30, 40}, Open: [2]Part{{Wanted: 2, Taken: 1, Sum: 1, Places: 70}, {}}, Waiting: []Part{{Wanted: 2, Taken: 2, Sum: -2, Places: 140}}, Waits: 1}
	}
	for name, spoil := range map[string]func(b *Blocks){
		"nothing":                    func(*Blocks) {},
		"no record":                  func(b *Blocks) { *b = Blocks{} },
		"very many records":          func(b *Blocks) { b.Seen[1] = 1 << 52 },
		"a part that is nearly full": func(b *Blocks) { b.Open[0] = Part{Wanted: blockLarger, Taken: blockLarger - 1, Sum: blockLarger - 1} },
		"as many parts as wait":      func(b *Blocks) { b.Waiting = make([]Part, mostWaiting); fillParts(b.Waiting) },
	} {
		b := good()
		if spoil(b); !b.valid(1) {
			t.Errorf("%s: %+v cannot be", name, b)
		}
	}
	for name, spoil := range map[string]func(b *Blocks){
		"fewer than no records":      func(b *Blocks) { b.Seen[0] = -1 },
		"fewer than none of versus":  func(b *Blocks) { b.Seen[1] = -1 },
		"too many records":           func(b *Blocks) { b.Seen[0] = 1<<52 + 1 },
		"too many of versus":         func(b *Blocks) { b.Seen[1] = 1<<52 + 1 },
		"too many parts":             func(b *Blocks) { b.Waiting = make([]Part, mostWaiting+1); fillParts(b.Waiting) },
		"a side below the first":     func(b *Blocks) { b.Waits = -1 },
		"a third side":               func(b *Blocks) { b.Waits = 2 },
		"a full part that is open":   func(b *Blocks) { b.Open[0].Taken = 2 },
		"an empty part that is open": func(b *Blocks) { b.Open[1].Wanted = 2 },
		"a part of nothing":          func(b *Blocks) { b.Open[1].Taken = 1 },
		"a part that is too large":   func(b *Blocks) { b.Open[0].Wanted = blockLarger + 1 },
		"a part of fewer than none":  func(b *Blocks) { b.Open[0].Taken = -1 },
		"a sum that is too large":    func(b *Blocks) { b.Open[0].Sum = 1.01 },
		"a sum that is too small":    func(b *Blocks) { b.Open[0].Sum = -1.01 },
		"no sum":                     func(b *Blocks) { b.Open[0].Sum = math.NaN() },
		"a place before the first":   func(b *Blocks) { b.Open[0].Places = -1 },
		"a place behind the last":    func(b *Blocks) { b.Open[0].Places = 71 },
		"a waiting part, not full":   func(b *Blocks) { b.Waiting[0].Taken = 1 },
		"a waiting part of none":     func(b *Blocks) { b.Waiting[0] = Part{} },
		"a waiting part, too large":  func(b *Blocks) { b.Waiting[0].Sum = 2.01 },
	} {
		b := good()
		if spoil(b); b.valid(1) {
			t.Errorf("%s: %+v passes", name, b)
		}
	}
}

func fillParts(parts []Part) {
	for i := range parts {
		parts[i] = Part{Wanted: 2, Taken: 2}
	}
}

// TestEvidenceThatCannotBe: each bet is at least 0 and at most MostEvidence.
func TestEvidenceThatCannotBe(t *testing.T) {
	for _, order := range []int{0, 1} {
		for _, bet := range []int{0, 2*detectorBets - 1} {
			for x, want := range map[float64]bool{0: true, MostEvidence: true, -1e-300: false, math.Nextafter(MostEvidence, math.Inf(1)): false, math.Inf(1): false} {
				var b Bets
				b[order][bet] = x
				if b.possible() != want || (&Detector{Bets: b}).Valid() != want || (&MeanDetector{Bets: b}).Valid() != want {
					t.Errorf("evidence %v of bet %d, order %d: %v", x, bet, order, b.possible())
				}
			}
			var b Bets
			if b[order][bet] = math.NaN(); b.possible() {
				t.Error("evidence that is not a number passes")
			}
		}
	}
	for want, all := range map[bool][]MeanDetector{
		true:  {{}, {Ended: detectorMemory, Mean: 4e12, Variance: mostVariance}, {Mean: -4e12}},
		false: {{Ended: -1}, {Ended: detectorMemory + 1}, {Mean: 4.1e12}, {Mean: -4.1e12}, {Mean: math.NaN()}, {Variance: -1}, {Variance: 1.1e26}, {Variance: math.NaN()}, {Blocks: Blocks{Seen: [2]int64{-1, 0}}}},
	} {
		for i := range all {
			if all[i].Valid() != want {
				t.Errorf("%+v: %v", all[i], all[i].Valid())
			}
		}
	}
}

// TestPredictionsAreCut at a value that keeps sums finite, whatever comes.
func TestPredictionsAreCut(t *testing.T) {
	for prediction, want := range map[float64]float64{1e12: 1e12, 1.5e12: 1e12, -1e13: -1e12, math.Inf(1): 1e12, math.Inf(-1): -1e12, 9e11: 9e11, -3: -3} {
		var d MeanDetector
		if d.Add(Group, prediction, 1); d.Open[0].Sum != want {
			t.Errorf("%v counts as %v", prediction, d.Open[0].Sum)
		}
	}
	var d MeanDetector
	if d.Add(Group, math.NaN(), 1); math.Abs(d.Open[0].Sum) != 1e12 {
		t.Errorf("no number counts as %v", d.Open[0].Sum)
	}
}

// TestStatesOfAClassifier at the bounds of skill, of rare decisions and of the number of records.
func TestStatesOfAClassifier(t *testing.T) {
	// Of n records: positive labels, of which found are decided positively, and wrong among the others.
	confusion := func(n, positive, found, wrong int) (c Confusion) {
		for i := range n {
			label := i < positive
			decision := label && i < found || !label && i-positive < wrong
			c.Add(label, decision, 1)
		}
		return c
	}
	for name, c := range map[string]struct {
		confusion Confusion
		want      CollapseState
	}{
		"none":                           {Confusion{}, CollapseNotEstimable},
		"too few":                        {confusion(499, 200, 200, 0), CollapseNotEstimable},
		"enough":                         {confusion(500, 200, 200, 0), NoCollapse},
		"all negative":                   {confusion(1000, 300, 0, 0), ConstantDecision},
		"all positive":                   {confusion(1000, 300, 300, 700), ConstantDecision},
		"all positive, and nearly right": {confusion(1000, 999, 999, 1), ConstantDecision},
		"rare":                           {confusion(1000, 300, 9, 0), ConstantDecision},
		"not so rare":                    {confusion(1000, 300, 10, 0), NoBetterThanConstant},
		"rare, as the label is":          {confusion(1000, 30, 4, 5), NoBetterThanConstant},
		"rarer than the label":           {confusion(1000, 40, 4, 5), ConstantDecision},
		"just skilful":                   {confusion(1000, 200, 20, 10), NoCollapse},
		"not quite":                      {confusion(1000, 200, 20, 11), NoBetterThanConstant},
		"nearly all are positive":        {confusion(1000, 700, 700, 291), ConstantDecision},
		"fewer are positive":             {confusion(1000, 700, 700, 290), NoBetterThanConstant},
	} {
		got := DetectCollapse(c.confusion, DefaultLevel, DefaultCollapseOptions())
		if got.State != c.want {
			t.Errorf("%s: %s, want %s (%v positive, accuracy %v of %v)", name, got.State, c.want, got.SelectionRate.Value, got.Accuracy.Value, got.ConstantAccuracy.Value)
		}
	}
	for _, c := range []struct{ accuracy, constant, want float64 }{{.9, .8, .5}, {.8, .8, 0}, {.7, .8, -.5}, {1, 1, 1}, {.9, 1, math.Inf(-1)}} {
		if got := skill(c.accuracy, c.constant); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("the skill of %v beside %v is %v, want %v", c.accuracy, c.constant, got, c.want)
		}
	}
}

// TestPartsOfAPlan: chances are those of the binomial distribution, growth is the mean over all decisions of a block, and what is solved for is the least.
func TestPartsOfAPlan(t *testing.T) {
	for _, n := range []int64{0, 1, 2, 7, 40} {
		for _, p := range []float64{.1, .5, .95} {
			sum, mean, squares := 0.0, 0.0, 0.0
			for k := range n + 1 {
				c := chance(n, k, p)
				sum, mean, squares = sum+c, mean+c*float64(k), squares+c*float64(k*k)
			}
			if math.Abs(sum-1) > 1e-9 || math.Abs(mean-float64(n)*p) > 1e-9 || math.Abs(squares-mean*mean-float64(n)*p*(1-p)) > 1e-8 {
				t.Errorf("of %d with %v: %v, mean %v, variance %v", n, p, sum, mean, squares-mean*mean)
			}
		}
	}
	const lambda, tau = .3, .1
	rates, wanted := [2]float64{.4, .2}, [2]int64{2, 3}
	for _, sign := range []float64{1, -1} {
		want := 0.0
		for decisions := range 1 << 5 {
			probability, sums := 1.0, [2]float64{}
			for i := range 5 {
				side, positive := i/2, decisions>>i&1 == 1
				if side = min(side, 1); positive {
					probability *= rates[side]
					sums[side]++
				} else {
					probability *= 1 - rates[side]
				}
			}
			want += probability * math.Log(1+lambda*(sign*(sums[0]/2-sums[1]/3)-tau))
		}
		if got := growth(lambda, sign, tau, rates, wanted); math.Abs(got-want) > 1e-12 {
			t.Errorf("growth %v, want %v", got, want)
		}
	}
	if got := blockLength([2]int64{2, 8}, .25); got != 10.666666666666666 {
		t.Errorf("a block takes %v records", got)
	}
	if got := blockLength([2]int64{8, 2}, .25); got != 32 {
		t.Errorf("a block takes %v records", got)
	}
	for _, least := range []float64{.001, 1, 3, 12345.5} {
		if got := solve(func(x float64) bool { return x >= least }); math.Abs(got-least) > 1e-5*least {
			t.Errorf("solved %v, want %v", got, least)
		}
	}
	if got := solve(func(float64) bool { return false }); !math.IsInf(got, 1) {
		t.Errorf("solved %v of what never holds", got)
	}
	for seen, want := range map[[2]int64][2]int64{{0, 0}: {2, 2}, {5, 0}: {2, 2}, {10, 10}: {2, 2}, {30, 10}: {6, 2}, {10, 30}: {2, 6}, {1000, 10}: {40, 2}, {10, 1000}: {2, 40}, {12, 10}: {2, 2}, {13, 10}: {3, 2}} {
		if got := blockOf(seen); got != want {
			t.Errorf("after %v records a block has %v, want %v", seen, got, want)
		}
	}
}

// TestTheWidthOfAPlan is that of the sequence after so many records, and needs enough decisions of either kind.
func TestTheWidthOfAPlan(t *testing.T) {
	n := Needs{RateGroup: .3, RateVersus: .2, ShareGroup: .25, Tau: .05}
	one, none := 2500., 7500.
	if got, want := n.HalfWidth(10_000, .95), sequenceHalf(one*none/10_000, .3*.7/one+.2*.8/none, 1-.95); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	least := SequenceMinimum / (.25 * .3) // the rarest are positive decisions of the group
	if w := n.HalfWidth(least, .95); math.IsNaN(w) {
		t.Errorf("%v after %v records", w, least)
	}
	if w := n.HalfWidth(least*.999, .95); !math.IsNaN(w) {
		t.Errorf("%v after fewer", w)
	}
	for _, bad := range []Needs{{RateGroup: -.1, RateVersus: .2, ShareGroup: .5, Tau: .1}, {RateGroup: .1, RateVersus: 1.1, ShareGroup: .5, Tau: .1}, {RateGroup: .1, RateVersus: .2, Tau: .1}, {RateGroup: .1, RateVersus: .2, ShareGroup: 1, Tau: .1},
		{RateGroup: .1, RateVersus: .2, ShareGroup: .5}, {RateGroup: .1, RateVersus: .2, ShareGroup: .5, Tau: 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v passes", bad)
				}
			}()
			bad.HalfWidth(10_000, .95)
		}()
	}
	if x := n.Alarm(10_000); math.IsInf(x, 1) || x <= 0 {
		t.Errorf("%v", x)
	}
	for _, equal := range []Needs{{RateGroup: .25, RateVersus: .2, ShareGroup: .5, Tau: .05}, {RateGroup: .2, RateVersus: .25, ShareGroup: .5, Tau: .05}} {
		if x := equal.Alarm(10_000); !math.IsInf(x, 1) {
			t.Errorf("a difference of tau raises an alarm after %v records", x)
		}
	}
}
