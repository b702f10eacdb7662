package model_test

import (
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

func BenchmarkScore(b *testing.B) {
	records := adultRecords(b)
	scorer, err := document(b, learn(b, adultConfig(model.Adaptive), records)).Scorer()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		scorer.Score(&records[i%len(records)])
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
		if _, err := document(b, l).Encode(); err != nil {
			b.Fatal(err)
		}
	}
}
