package fairness

import "testing"

// A part is paired with one of the other side that is near in time, and with none that waited for waitingRecords.
func TestPartsDoNotWaitForEver(t *testing.T) {
	for _, c := range []struct {
		between int64
		paired  bool
	}{{waitingRecords / 2, true}, {waitingRecords * 2, false}} {
		b := Blocks{Seen: [2]int64{1000, 1000}}
		for range blockSmaller {
			b.add(Group, 1)
		}
		b.Seen[0] += c.between
		var paired bool
		for range blockLarger {
			if _, ok := b.add(Versus, 0); ok {
				paired = true
			}
		}
		if paired != c.paired {
			t.Errorf("%d records later: paired %v", c.between, paired)
		}
	}
}
