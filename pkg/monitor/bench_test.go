package monitor

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// BenchmarkObserve is one record in 50 groups, each compared with the rest: counters, windows, detectors, and a look every 64
// records.
func BenchmarkObserve(b *testing.B) {
	m := wide(b)
	d := Decision{Levels: []fairness.Level{0}, Labelled: true, Score: 0.3, Time: time.Unix(1e9, 0)}
	step := func(i int) {
		d.Levels[0] = fairness.Level(2 + i*7%50)
		d.Positive, d.Label = i%3 == 0, i%5 == 0
		d.Time = d.Time.Add(time.Second)
		m.Observe(&d)
	}
	for i := range 10_000 {
		step(i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		step(i)
	}
}

// BenchmarkObserveTwo is one record in two groups.
func BenchmarkObserveTwo(b *testing.B) {
	m := made(b, Config{Grouper: grouper(b, group("sex", "f", fairness.DemographicParity, 0.05))})
	d := Decision{Levels: []fairness.Level{0}, Labelled: true, Score: 0.3}
	b.ReportAllocs()
	for i := range b.N {
		d.Levels[0] = fairness.Level(1 + i%2)
		d.Positive, d.Label = i%3 == 0, i%5 == 0
		m.Observe(&d)
	}
}
