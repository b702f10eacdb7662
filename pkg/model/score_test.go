package model_test

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// manyWeights is a learner of a column with so many levels, and its records.
func manyWeights(tb testing.TB, levels int) (*model.Learner, []record.Record) {
	tb.Helper()
	config := adultConfig(model.Adaptive)
	config.Learner.Vocabulary.Levels = 1_000_000
	records := make([]record.Record, 0, levels+2000)
	for i, r := range adultHead(tb, 2000) {
		for len(records) < (i+1)*(levels+2000)/2000 {
			next := clone(&r)
			text := fmt.Append(nil, "level-", len(records)%levels)
			next.Features = append(next.Features, record.Field{ID: record.NoName, Name: "many", Text: text, Hash: record.Hash(text)})
			next.Layout = 0
			records = append(records, next)
		}
	}
	return learn(tb, config, records), records
}

// The cost of a decision does not grow with the number of weights: 100,000 cost at most twice as much as 100.
func BenchmarkLearnerScore(b *testing.B) {
	for _, levels := range []int{1, 100_000} {
		l, records := manyWeights(b, levels)
		b.Run(fmt.Sprint(l.Weights(), " weights"), func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				l.Margin(&records[i%2000])
			}
		})
	}
}

// A decision copies nothing: what it allocates does not depend on the number of weights.
func TestScoreAllocatesNothing(t *testing.T) {
	l, records := manyWeights(t, 5000)
	l.Margin(&records[0])
	if n := testing.AllocsPerRun(100, func() { l.Margin(&records[1]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A learner whose first records are still held back has no weights, whatever its version; asking it for a decision
// trains nothing.
func TestScoreBeforeReady(t *testing.T) {
	config := adultConfig(model.Adaptive)
	config.Learner.Warmup = 50
	records := adultHead(t, 200)
	l := newLearner(t, config)
	for i := range records {
		r := records[i]
		if i%2 == 0 {
			r.Weight = 0 // counted in the version, not held back
		}
		if wantReady := i > 2*49+1; l.Ready() != wantReady {
			t.Fatalf("after %d records, half of them of weight 0, ready: %t", i, l.Ready())
		}
		if margin := l.Margin(&records[0]); !l.Ready() && margin != 0 {
			t.Fatalf("a learner without weights decides by %v", margin)
		}
		if n := testing.AllocsPerRun(1, func() { l.Margin(&records[1]) }); !l.Ready() && n > 0 {
			t.Fatalf("%v allocations before the learner is ready", n)
		}
		l.Learn(&r)
	}
}
