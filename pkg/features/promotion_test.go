package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// follow shows a candidate residuals of labels with probability p, predicted as q, until it has earned a weight;
// it returns after how many, or 0.
func follow(c *scoreTests, key uint64, records int, p, q, weight float64, random *rand.Rand) int {
	for i := range records {
		if c.passed(key) {
			return i
		}
		residual := -q
		if random.Float64() < p {
			residual = 1 - q
		}
		c.learn(key, residual, q*(1-q), weight)
	}
	return 0
}

// A level that the prediction does justice to rarely earns a weight, one that it does not soon does, whatever the
// prevalence and the unit of the weights.
func TestLevelsEarnTheirWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 3))
	for _, weight := range []float64{1e-6, 1, 1e6} {
		for _, q := range []float64{.01, .1, .5, .9, .99} {
			var c scoreTests
			earned := 0
			const levels = 400
			for key := range uint64(levels) {
				if follow(&c, key, 100, q, q, weight, random) > 0 {
					earned++
				}
			}
			if earned > levels*6/100 { // three deviations, looked at 100 times
				t.Errorf("weight %v, probability %v: %d of %d levels that say nothing earned a weight", weight, q, earned, levels)
			}
			if n := follow(&c, 7, 300, 1-q, q, weight, random); q != .5 && (n == 0 || n > 150) {
				t.Errorf("weight %v, probability %v: a level of the opposite earned a weight after %d records", weight, q, n)
			}
		}
	}
}

// A single surprise is no evidence, nor is a prediction that leaves nothing to residuals.
func TestOneRecordEarnsNothing(t *testing.T) {
	var c scoreTests
	c.learn(1, .999, .999*.001, 1)
	c.learn(2, 0, 0, 1)
	c.learn(3, 1, 0, 1)
	for key := range uint64(4) {
		if c.passed(key) {
			t.Errorf("%d earned a weight by one record", key)
		}
	}
}

// A flood of levels that come once does not keep a frequent one from its weight, and the table stays as it is.
func TestCandidatesWithstandAFlood(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 3))
	var c scoreTests
	const frequent = 5
	for range 200 {
		c.learn(frequent, .5, .25, 1)
		for range 20 * candidateSlots / 100 {
			c.learn(random.Uint64(), .5, .25, 1)
		}
		if c.passed(frequent) {
			break
		}
	}
	if !c.passed(frequent) || len(c.slots) != candidateSlots {
		t.Errorf("earned %t, %d slots", c.passed(frequent), len(c.slots))
	}
	c.forget(frequent + candidateSlots)
	if !c.passed(frequent) {
		t.Error("another level of the slot was forgotten with it")
	}
	if c.forget(frequent); c.passed(frequent) {
		t.Error("what was forgotten is known")
	}
}

// Where values differ beyond chance, all of a column's have weights; elsewhere they go on waiting.
func TestColumnsVouchForTheirValues(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 3))
	for _, test := range []struct {
		effect float64 // standard deviation of a value's log odds
		want   bool
	}{{0, false}, {3, true}} {
		var set trial
		var c scoreTests
		for key := range uint64(60) {
			p := 1 / (1 + math.Exp(test.effect*random.NormFloat64()))
			for range trialRecords {
				residual := -.5
				if random.Float64() < p {
					residual = .5
				}
				if square, tried := c.learn(key, residual, .25, 1); tried {
					set.end(square)
				}
			}
		}
		if set.values != 60 || set.trusted != test.want {
			t.Errorf("effect %v: %d values tried, dispersion %v, trusted %t", test.effect, set.values, set.dispersion, set.trusted)
		}
	}
}

// What the encoder remembers of a text that waits is what it would find out afresh.
func TestWaitingTextsAreEncodedAfresh(t *testing.T) {
	settings := DefaultConfig()
	settings.Vocabulary = VocabularyConfig{Levels: 30, Buckets: 4, Columns: 10}
	make60 := func() *Learning {
		e := NewLearning(settings)
		for i := range 300 {
			e.Observe(fields("x", fmt.Sprint(i%60)))
		}
		e.Infer()
		return e
	}
	remembering, forgetful := make60(), make60()
	random := rand.New(rand.NewPCG(14, 3))
	for i := range 4000 {
		features := fields("x", fmt.Sprint(random.IntN(60)), "job", fmt.Sprint("j", random.IntN(40)))
		forgetful.memory = memory{}
		encoded(remembering, false, fields("x", fmt.Sprint(i*7%60), "job", fmt.Sprint("j", i*3%40))) // learns nothing, and may remember
		a, b := encoded(remembering, true, features), encoded(forgetful, true, features)
		if a != b {
			t.Fatalf("record %d is %s, afresh %s", i, a, b)
		}
		residual := random.Float64() - .3
		remembering.Reveal(residual, .2, 1)
		forgetful.Reveal(residual, .2, 1)
	}
	if remembering.room().forCategory() || remembering.words.shared == 0 {
		t.Error("the vocabulary did not run full")
	}
}

// Residuals of a model that has diverged change nothing.
func TestDivergedResidualsAreIgnored(t *testing.T) {
	e := testEncoder(t, nil, numbers(0, 60)...)
	for _, residual := range []float64{math.NaN(), math.Inf(1), -1e200} {
		encoded(e, true, fields("x", "17"))
		e.Reveal(residual, .25, 1)
		encoded(e, true, fields("x", "17"))
		e.Reveal(.5, math.NaN(), 1)
	}
	for i := range e.tests.slots {
		if s := &e.tests.slots[i]; s.patience != 0 {
			t.Errorf("candidate %+v", *s)
		}
	}
}

// Once single values of a column have proved to matter, its next new number has a weight at its first record. In a column
// in which they do not, it waits.
func TestNewNumbersOfATrustedColumn(t *testing.T) {
	for _, test := range []struct {
		matter bool
		want   int // non-zeros: intercept, line, and the level of a trusted column
	}{{true, 3}, {false, 2}} {
		var texts []string
		for range 5 {
			texts = append(texts, numbers(0, 60)...)
		}
		e := testEncoder(t, nil, texts...)
		for i := range 60 * trialRecords {
			encoded(e, true, fields("x", fmt.Sprint(i%60)))
			residual := .5 - float64(i/60%2) // of each value half are over, half under
			if test.matter {
				residual = .5 - float64(i%60%2) // of even values all are over
			}
			e.Reveal(residual, .25, 1)
		}
		if got := strings.Fields(encoded(e, true, fields("x", "1000"))); len(got) != test.want {
			t.Errorf("single values matter: %t, and a new number is %v", test.matter, got)
		}
	}
}

// Of many columns without effect, as few earn bins by chance as of a few; one that is bent still does.
func TestChanceEarnsBinsOfFewColumns(t *testing.T) {
	for _, columns := range []int{20, 400} {
		random := rand.New(rand.NewPCG(5, 9))
		l := NewLearning(DefaultConfig())
		const warmup, records = 300, 3000
		var row Row
		for i := range records {
			fields := make([]record.Field, columns)
			bent := 0.0
			for k := range fields {
				x := random.NormFloat64()
				if k == 0 {
					bent = math.Abs(x)
				}
				text := []byte(fmt.Sprintf("%.4f", x))
				fields[k] = record.Field{Name: fmt.Sprintf("x%03d", k), ID: record.NoName, Text: text, Hash: record.Hash(text)}
			}
			if i < warmup {
				l.Observe(fields)
				continue
			}
			if i == warmup {
				l.Infer()
			}
			l.Encode(&row, &record.Record{Features: fields})
			residual := -0.5
			if random.Float64() < 1/(1+math.Exp(1-1.3*bent)) {
				residual = 0.5
			}
			l.Reveal(residual, 0.25, 1)
		}
		chance := 0
		for k := 1; k < columns; k++ {
			if c := &l.columns[k]; c.First != 0 || c.FirstCoarse != 0 {
				chance++
			}
		}
		t.Logf("%d columns: %d earned bins by chance", columns, chance)
		if chance > 6 {
			t.Errorf("%d of %d columns without effect earned bins", chance, columns)
		}
		if l.columns[0].FirstCoarse == 0 {
			t.Errorf("%d columns: the one with an effect earned no bins", columns)
		}
	}
	if passingOf(31) != passingDeviations || !(passingOf(32) > passingDeviations) {
		t.Errorf("%v with 31 columns, %v with 32", passingOf(31), passingOf(32))
	}
}
