package release

import (
	"slices"
	"testing"
)

// BenchmarkObserve is a record with a stable version, a candidate and one comparison.
func BenchmarkObserve(b *testing.B) {
	b.Run("classification", func(b *testing.B) { benchmarkObserve(b, false) })
	b.Run("regression", func(b *testing.B) { benchmarkObserve(b, true) })
}

func benchmarkObserve(b *testing.B, regression bool) {
	m, w := withStable(b, Config{CoolDown: 1_000_000_000, Deadline: 1_000_000_000, Regression: regression}, behaviour{})
	w.by[version(2)] = behaviour{noise: 0.02}
	m.Offer(version(2), sound)
	m.Steps()
	records := make([]Record, 4096)
	for i := range records {
		records[i] = *w.next(m.Wanted())
		records[i].Levels, records[i].Decisions = slices.Clone(records[i].Levels), slices.Clone(records[i].Decisions)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Observe(&records[i%len(records)])
	}
}
