package control

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLook: without a model, a comparison is of what the published model decides, and of the newest records alone once they
// differ from the older ones.
func TestLook(t *testing.T) {
	for name, c := range map[string]struct {
		newest, older [2]int // decisions of ten that are positive, on either side; newest are 512 records
		want          float64
		dropped       bool
	}{
		"all alike":     {[2]int{6, 3}, [2]int{6, 3}, .3, false},
		"the other way": {[2]int{2, 7}, [2]int{2, 7}, -.5, false},
		"a change":      {[2]int{8, 2}, [2]int{5, 5}, .6, true},
	} {
		sides := world{}.sides(rand.New(rand.NewPCG(1, 2)), 2560)
		m := sides[0].memory
		n := len(m.margins) / m.models
		m.decided = slices.Grow(m.decided[:0], n)[:n]
		for i, w := range sides {
			for age := range w.steady {
				at, _ := w.slot(age)
				of := c.older[i]
				if age < 512 {
					of = c.newest[i]
				}
				m.decided[at] = 0
				if 7*age%10 < of {
					m.decided[at] = 1
				}
			}
		}
		k := constraint{tau: .1, sign: 1, shares: shares{.5, .5}}
		k.look(&curve{}, sides, 1234, &Settings{Aim: exact}, family{1, 1})
		if math.Abs(k.difference-c.want) > .02 {
			t.Errorf("%s: the difference is %v, want %v", name, k.difference, c.want)
		}
		if k.looked != 1234 || !k.reachable || !k.chosen || !(k.error > 0) {
			t.Errorf("%s: looked at %v, reachable %t, chosen %t, error %v", name, k.looked, k.reachable, k.chosen, k.error)
		}
		if dropped := sides[0].steady < 2560 && sides[1].steady < 2560; dropped != c.dropped {
			t.Errorf("%s: %d and %d records are left", name, sides[0].steady, sides[1].steady)
		}
	}
}

// TestMoved: a difference moves if the newest eighth, quarter or half of the records are decided differently from the others, by more than chance
// makes of one of so many comparisons, or a thirty-second or sixteenth part of one side is. It does not where both sides move alike, or by less than half of tau.
func TestMoved(t *testing.T) {
	for name, c := range map[string]struct {
		records, newest, comparisons int
		relative                     bool
		rates                        [2][2]int // positive decisions of a hundred, by side: of the newest records, and of the older ones
		want                         float64
	}{
		"nothing":                                 {4000, 500, 1, false, [2][2]int{{50, 50}, {20, 20}}, 0},
		"the newest eighth":                       {4000, 500, 1, false, [2][2]int{{60, 50}, {20, 20}}, .1},
		"the newest quarter, down":                {4000, 1000, 1, false, [2][2]int{{50, 50}, {29, 20}}, -.09},
		"the newest half":                         {4000, 2000, 1, false, [2][2]int{{55, 50}, {17, 20}}, .08},
		"by chance, of many comparisons":          {4000, 500, 64, false, [2][2]int{{60, 50}, {20, 20}}, 0},
		"a ratio of a half that becomes 0.4":      {4000, 2000, 1, true, [2][2]int{{50, 50}, {20, 25}}, .1},
		"both sides alike":                        {4000, 1000, 1, false, [2][2]int{{65, 50}, {35, 20}}, 0},
		"a little":                                {4000, 500, 1, false, [2][2]int{{54, 50}, {20, 20}}, 0},
		"the newest thirty-second part of a side": {8000, 250, 1, false, [2][2]int{{64, 50}, {20, 20}}, .14},
		"the same of the other side":              {8000, 250, 1, false, [2][2]int{{50, 50}, {32, 20}}, -.12},
		"the same, by chance of many comparisons": {8000, 250, 64, false, [2][2]int{{64, 50}, {20, 20}}, 0},
		"the same of few records":                 {4000, 125, 1, false, [2][2]int{{70, 50}, {20, 20}}, 0},
		"the same of both sides alike":            {8000, 250, 1, false, [2][2]int{{66, 50}, {36, 20}}, 0},
		"by less than a share of tau, for long":   {20_000, 10_000, 1, false, [2][2]int{{52, 50}, {18, 20}}, 0},
		"one side beyond doubt":                   {4000, 1000, 1, false, [2][2]int{{59, 50}, {23, 20}}, .06},
		"the same of many comparisons":            {4000, 1000, 64, false, [2][2]int{{59, 50}, {23, 20}}, 0},
		"much, of 512 records of a side":          {512, 64, 1, false, [2][2]int{{95, 5}, {5, 95}}, 1.8},
	} {
		sides := world{}.sides(rand.New(rand.NewPCG(1, 2)), c.records)
		decided := make([]bool, len(sides[0].memory.rows))
		for i, w := range sides {
			for age := range w.steady {
				slot, _ := w.slot(age)
				of := c.rates[i][1]
				if age < c.newest {
					of = c.rates[i][0]
				}
				decided[slot] = 37*age%100 < of
			}
		}
		if got := (measure{c.relative}).moved(sides, decided, motion{func(float64) float64 { return ofMany(movingSigma, c.comparisons) }, ofMany(suddenSigma, c.comparisons), ofMany(changeSigma, c.comparisons), .05}); math.Abs(got-c.want) > .03 || (got == 0) != (c.want == 0) {
			t.Errorf("%s: moved by %v, and should by %v", name, got, c.want)
		}
	}
}

// TestMovedOfFew: what may have happened at once is looked for if both sides have enough newest records, not one alone.
func TestMovedOfFew(t *testing.T) {
	for few := range 2 {
		for steady, moves := range map[int]bool{32*leastSudden - 1: false, 32 * leastSudden: true} {
			sides := world{}.sides(rand.New(rand.NewPCG(1, 2)), 8000)
			sides[few].steady = steady
			decided := make([]bool, len(sides[0].memory.rows))
			for i, w := range sides {
				for age := range w.steady {
					slot, _ := w.slot(age)
					decided[slot] = age%2 == 0 || i == few && age < steady/32
				}
			}
			got := measure{}.moved(sides, decided, motion{func(float64) float64 { return 1e9 }, 9, 1e9, .05})
			if (got != 0) != moves {
				t.Errorf("side %d has %d records: moved by %v", few, steady, got)
			}
		}
	}
}

// TestHowManyStandardErrorsMove: exactly the documented ones, on both sides of each bound, of the newest half alone: rates with one positive and one negative decision
// more, of both sides for what moves, of the side that changed most for what happened at once. A difference as large as the least one moves.
func TestHowManyStandardErrorsMove(t *testing.T) {
	const half = 256
	sides := world{}.sides(rand.New(rand.NewPCG(1, 2)), 2*half)
	decided := make([]bool, len(sides[0].memory.rows))
	for i, w := range sides {
		for age := range w.steady {
			slot, _ := w.slot(age)
			decided[slot] = age%4 == 0 || i == 0 && age < half && age%4 == 2
		}
	}
	const by = .25 // one half of the newest, one quarter of the others
	rates := [2]float64{(.375*2*half + 1) / (2*half + 2), (.25*2*half + 1) / (2*half + 2)}
	variance := func(side int) float64 { return rates[side] * (1 - rates[side]) * 2 / half }
	ratio, sudden := by/math.Sqrt(variance(0)+variance(1)), by/math.Sqrt(variance(0))
	never := func(float64) float64 { return 1e9 }
	at := func(sigma float64) func(float64) float64 {
		return func(got float64) float64 {
			if got != by { // of another part
				return 1e9
			}
			return sigma
		}
	}
	for name, c := range map[string]struct {
		motion
		moves bool
	}{
		"more than chance":         {motion{at(ratio * (1 - 1e-9)), 1e9, 1e9, by}, true},
		"no more":                  {motion{at(ratio * (1 + 1e-9)), 1e9, 1e9, by}, false},
		"less than the least":      {motion{at(0), 1e9, 1e9, math.Nextafter(by, 1)}, false},
		"one side, beyond doubt":   {motion{never, 1e9, sudden * (1 - 1e-9), by}, true},
		"one side, within a doubt": {motion{never, 1e9, sudden * (1 + 1e-9), by}, false},
	} {
		if got := (measure{}).moved(sides, decided, c.motion); (got != 0) != c.moves || got != 0 && got != by {
			t.Errorf("%s: moved by %v", name, got)
		}
	}
}
