package intake

import (
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
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

// TestAGoalOfEachPartition: where it ends, whether it is trusted, and the ledger that it gets.
func TestAGoalOfEachPartition(t *testing.T) {
	one, other := kafka.TopicID{1}, kafka.TopicID{2}
	for name, c := range map[string]struct {
		ledger     Ledgers
		bounds     kafka.Bounds
		saved, now kafka.TopicID
		next       int64
		epoch      LeaderEpoch
		suspect    bool
		reached    bool // once it is trusted
	}{
		"new":                 {nil, kafka.Bounds{Start: 3, End: 9}, kafka.TopicID{}, one, 3, -1, false, false},
		"new and empty":       {nil, kafka.Bounds{Start: 3, End: 3}, kafka.TopicID{}, one, 3, -1, false, true},
		"before its end":      {Ledgers{{Next: 8, LeaderEpoch: 2}}, kafka.Bounds{End: 9}, one, one, 8, 2, false, false},
		"at its end":          {Ledgers{{Next: 9, LeaderEpoch: 0}}, kafka.Bounds{End: 9}, one, one, 9, 0, true, true},
		"at an unknown epoch": {Ledgers{{Next: 9, LeaderEpoch: -1}}, kafka.Bounds{End: 9}, one, one, 9, -1, false, true},
		"beyond its end":      {Ledgers{{Next: 10, LeaderEpoch: -1}}, kafka.Bounds{End: 9}, one, one, 10, -1, true, true},
		"gone and back":       {Ledgers{{Next: -1, LeaderEpoch: 4}}, kafka.Bounds{Start: 2, End: 9}, one, one, 2, -1, false, false},
		"another topic":       {Ledgers{{Next: 8, LeaderEpoch: 2}}, kafka.Bounds{End: 9}, one, other, 8, 2, true, false},
		"a topic not known":   {Ledgers{{Next: 8, LeaderEpoch: 2}}, kafka.Bounds{End: 9}, kafka.TopicID{}, other, 8, 2, false, false},
	} {
		l := c.ledger
		g := NewGoal([]kafka.Bounds{c.bounds}, &l, c.saved, c.now)
		if end, bounded := g.End(0); end != c.bounds.End || !bounded || len(l) != 1 || l[0].Next != c.next || l[0].LeaderEpoch != c.epoch || g.suspect[0] != c.suspect || len(g.Open) > 0 {
			t.Errorf("%s: ends at %d, %v; suspect %v; %+v", name, end, bounded, g.suspect, l)
		}
		if g.Reached(l) != (c.reached && !c.suspect) {
			t.Errorf("%s: reached %v", name, g.Reached(l))
		}
		if g.Trust([]kafka.Position{{Partition: 0, LastStable: 100}}, l); g.Reached(l) != c.reached {
			t.Errorf("%s: trusted, and reached %v", name, g.Reached(l))
		}
	}
	var l Ledgers
	g := NewGoal([]kafka.Bounds{{End: 5, Unstable: 3}, {End: 7}}, &l, kafka.TopicID{}, one)
	if len(g.Open) != 1 || g.Open[0] != (OpenTransaction{Partition: 0, Offset: 5, Waiting: 3}) {
		t.Errorf("%+v", g.Open)
	}
	l.Of(9, 4) // of no partition of the goal
	for i, partition := range []int32{0, 1} {
		if l.Of(partition, 0).Next = 5 + 2*int64(partition); g.Reached(l) != (i == 1) {
			t.Errorf("after partition %d reached %v", partition, g.Reached(l))
		}
	}
	var none *Goal
	none.Trust(nil, nil)
	none.Adapt(&cluster.Delivery{})
	if _, bounded := none.End(0); bounded || none.Reached(nil) {
		t.Error("a goal that is none is reached")
	}
}

// TestAGoalAfterALoss: it moves with the log, and a partition that is gone has none.
func TestAGoalAfterALoss(t *testing.T) {
	for name, c := range map[string]struct {
		d    cluster.Delivery
		want int64 // -1: none
	}{
		"passed over to before the end": {cluster.Delivery{Next: 7, End: 30, Loss: &kafka.DataLoss{}}, 9},
		"passed over to the end":        {cluster.Delivery{Next: 9, End: 30, Loss: &kafka.DataLoss{}}, 9},
		"passed over beyond the end":    {cluster.Delivery{Next: 10, End: 30, Loss: &kafka.DataLoss{}}, 30},
		"made again":                    {cluster.Delivery{Next: 0, End: 4, Loss: &kafka.DataLoss{Kind: kafka.LossRecreated}}, 4},
		"gone":                          {cluster.Delivery{Next: -1, End: 4, Loss: &kafka.DataLoss{Kind: kafka.LossRecreated}}, -1},
	} {
		g := &Goal{ends: map[int32]int64{0: 9}, suspect: map[int32]bool{0: true, 1: true}}
		g.Adapt(&c.d)
		end, there := g.ends[0]
		if there != (c.want >= 0) || there && end != c.want || g.suspect[0] || !g.suspect[1] {
			t.Errorf("%s: ends %v, suspect %v", name, g.ends, g.suspect)
		}
	}
}
