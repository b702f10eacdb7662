package intake

import (
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestASuspectPartitionIsNotTrustedAtOnce: a log that may have been cut is at its end only when the source has read it that far.
func TestASuspectPartitionIsNotTrustedAtOnce(t *testing.T) {
	l := Ledgers{{Partition: 0, Next: 100, LeaderEpoch: -1}}
	id := kafka.TopicID{1}
	g := NewGoal([]kafka.Bounds{{Start: 0, End: 60}}, &l, id, id)
	if g.Reached(l) {
		t.Error("a log that ends before what was read is at its end")
	}
	g.Trust([]kafka.Position{{Partition: 0, Next: 100, LastStable: 60}}, l)
	if g.Reached(l) {
		t.Error("trusted while the source sees the log end at 60, of 100 that were read")
	}
	g.Trust([]kafka.Position{{Partition: 0, Next: 100, LastStable: 100}}, l)
	if !g.Reached(l) {
		t.Error("not trusted although the source sees what was read: the broker that was asked first was not up to date")
	}
}
