package release

import (
	"slices"
	"testing"
)

// BenchmarkObserve is a record with a stable version, a candidate and one comparison.
func BenchmarkObserve(b *testing.B) {
	m, w := machine(b, Config{CoolDown: 1_000_000_000, Deadline: 1_000_000_000}, sex(b)), newWorld(1)
	w.by[version(1)], w.by[version(2)] = behaviour{}, behaviour{noise: 0.1}
	if err := m.Command(Command{ID: "1", Action: Promote, Version: version(1), Actor: "a", Reason: "b"}); err != nil {
		b.Fatal(err)
	}
	m.Offer(version(2), sound)
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
