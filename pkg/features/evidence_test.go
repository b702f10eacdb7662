package features

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestAFrequentCandidateTakesTheSlotOfARareOne: a rare candidate that came first keeps its slot only until as many records of
// another have come.
func TestAFrequentCandidateTakesTheSlotOfARareOne(t *testing.T) {
	const frequent = 5
	for _, held := range []int{1, 10} {
		var c scoreTests
		for range held {
			c.learn(frequent+candidateSlots, .5, .25, 1)
		}
		for i := range held {
			if c.passed(frequent) || c.slot(frequent).key == frequent {
				t.Fatalf("after %d records of each, the slot is the second one's", i)
			}
			c.learn(frequent, .5, .25, 1)
		}
		for range 20 {
			c.learn(frequent, .5, .25, 1)
		}
		if !c.passed(frequent) {
			t.Errorf("20 records beyond the %d of the first candidate do not earn the second one a weight", held)
		}
	}
}

// TestDegreesOfFreedom: of three bins whose residuals are (1, −2, 1)·r, which neither a mean nor a line explains, with a variance of
// 10 each, Σ residual²/variance = 0.6 r² has 3 − 1 − 1 = 1 degree of freedom: √(1.2 r²) − √1 reaches 3 at r = 3.651. A second
// group of such bins adds 3 − 1 = 2 degrees: √(2.4 r²) − √5 reaches 3 at r = 3.380. With dispersion 4 the first is at 7.303.
func TestDegreesOfFreedom(t *testing.T) {
	bins := func(r float64, groups int) (all []binEvidence) {
		for range groups {
			for i, share := range []float64{1, -2, 1} {
				all = append(all, binEvidence{residual: r * share, variance: 10, moment: 10 * float64(i-1)})
			}
		}
		return all
	}
	for _, test := range []struct {
		r, dispersion float64
		groups        int
		want          bool
	}{{3.64, 1, 1, false}, {3.66, 1, 1, true}, {3.37, 1, 2, false}, {3.39, 1, 2, true}, {7.29, 4, 1, false}, {7.31, 4, 1, true}} {
		got := deviates(bins(test.r, test.groups), func(i int) int32 { return int32(i / 3) }, make([]binEvidence, test.groups), test.dispersion, 3)
		if got != test.want {
			t.Errorf("%d groups, residuals of %v, dispersion %v: %t", test.groups, test.r, test.dispersion, got)
		}
	}
	// A bin with too little variance takes no part, and two bins leave no degree of freedom.
	few := bins(3.66, 1)
	few[2].variance, few[2].moment = leastVariance*.99, 0
	if deviates(few, func(int) int32 { return 0 }, make([]binEvidence, 1), 1, 0) {
		t.Error("two bins deviate from a line")
	}
}

// TestLabelsThatScatterMoreEarnNothing: where labels scatter twice as much as the predictions say, the sums of bins do as well, and
// that is no reason for bins; a column whose middle differs earns them all the same.
func TestLabelsThatScatterMoreEarnNothing(t *testing.T) {
	var values []string
	for i := range 64 {
		values = append(values, fmt.Sprint(i))
	}
	earned := func(seed uint64, scatter, middle float64) bool {
		l := testEncoder(t, func(c *Config) { c.Columns = map[string]ColumnConfig{"x": {Type: Numeric, Encoding: Bins}} }, repeated(values, 8)...)
		if l.columns[0].Kind != Binned {
			t.Fatalf("the column is %v", l.columns[0].Kind)
		}
		random := rand.New(rand.NewPCG(seed, 3))
		var row Row
		for range 4000 {
			i := random.IntN(64)
			l.Encode(&row, &record.Record{Features: fields("x", values[i])})
			residual := scatter * .5
			if random.IntN(2) == 0 {
				residual = -residual
			}
			if i >= 24 && i < 40 {
				residual += middle
			}
			l.Reveal(residual, .25, 1)
		}
		return l.columns[0].First != 0 || l.columns[0].FirstCoarse != 0
	}
	const streams = 40
	falsely := 0
	for seed := range uint64(streams) {
		if earned(seed, 2, 0) {
			falsely++
		}
	}
	if falsely > streams/8 {
		t.Errorf("%d of %d columns without effect earned bins where labels scatter", falsely, streams)
	}
	if !earned(1, 2, .5) {
		t.Error("a column whose middle differs earned no bins")
	}
}

func repeated(values []string, times int) (all []string) {
	for range times {
		all = append(all, values...)
	}
	return all
}

// TestRoomForCandidates: categories have room up to the limit, candidates for an eighth more.
func TestRoomForCandidates(t *testing.T) {
	for levels, want := range map[int][2]bool{0: {true, true}, 79: {true, true}, 80: {false, true}, 89: {false, true}, 90: {false, false}} {
		r := room{levels: levels, limit: 80}
		if got := [2]bool{r.forCategory(), r.forCandidate()}; got != want {
			t.Errorf("with %d levels of 80: room for a category and a candidate %v, want %v", levels, got, want)
		}
	}
}

// TestRefusedNamesAreBounded: fields that resemble a refused name are remembered only up to twice as many as there may be columns.
func TestRefusedNamesAreBounded(t *testing.T) {
	settings := DefaultConfig()
	settings.Vocabulary.Columns = 8
	l := NewLearning(settings)
	l.Resembles = func(string, string) bool { return true }
	l.Refuse([]string{"sex"})
	var row Row
	for i := range 1000 {
		l.Encode(&row, &record.Record{Features: fields(fmt.Sprint("sex", i), "m")})
	}
	if n := len(l.layout.byName); n != 16 {
		t.Errorf("%d refused names are remembered of 1,000, with 8 columns", n)
	}
	if len(l.columns) != 0 {
		t.Errorf("%d refused names became columns", len(l.columns))
	}
}
