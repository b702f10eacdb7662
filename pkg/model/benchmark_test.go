package model_test

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

func BenchmarkLearn(b *testing.B) {
	records := adultRecords(b)
	for _, mode := range allModes {
		b.Run(string(mode), func(b *testing.B) {
			l := learn(b, adultConfig(mode), records)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				l.Learn(&records[i%len(records)])
			}
		})
	}
}

// The cost of a record does not grow with the number of weights.
func BenchmarkLearnRegression(b *testing.B) {
	for _, levels := range []int{100, 10_000} {
		b.Run(fmt.Sprint(levels, " levels"), func(b *testing.B) {
			config := numbersConfig(1000)
			config.Learner.Vocabulary.Levels = 20_000
			records := readRecords(b, config, numbersText(1, 30_000, 1, thousandths))
			for i := range records {
				records[i].Features[0].Text = fmt.Appendf(nil, "v%d", i%levels)
			}
			l := learn(b, config, records)
			b.ReportMetric(float64(l.Weights()), "weights")
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				l.Learn(&records[i%len(records)])
			}
		})
	}
}

func BenchmarkScore(b *testing.B) {
	records := adultRecords(b)
	scorer, err := documentOf(b, learn(b, adultConfig(model.Adaptive), records)).Scorer()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		scorer.Margin(&records[i%len(records)])
	}
}

func BenchmarkState(b *testing.B) {
	l := learn(b, adultConfig(model.Adaptive), adultRecords(b))
	state := l.AppendState(nil)
	b.Run("append", func(b *testing.B) {
		b.SetBytes(int64(len(state)))
		b.ReportAllocs()
		for b.Loop() {
			state = l.AppendState(state[:0])
		}
	})
	b.Run("restore", func(b *testing.B) {
		b.SetBytes(int64(len(state)))
		b.ReportAllocs()
		for b.Loop() {
			restore(b, l.Config(), state)
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	l := learn(b, adultConfig(model.Adaptive), adultRecords(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := documentOf(b, l).Encode(); err != nil {
			b.Fatal(err)
		}
	}
}
