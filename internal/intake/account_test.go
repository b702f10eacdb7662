package intake

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

var badLabel = &record.Rejection{Reason: record.BadLabel, Field: "y"}

// TestTheAccountOfARecord: each record is in one tally, and a copy of the account is that of its moment.
func TestTheAccountOfARecord(t *testing.T) {
	a := NewAccount(RejectLimit{Share: 0.5, Window: 4})
	topic := kafka.TopicID{1}
	a.Begin(topic, []int64{10, 20})
	l := a.Ledgers().Of(1, 0)
	a.Learnt(l, 20, false)
	a.Learnt(l, 21, true)
	before := a.Standing()
	if err := a.Reject(l, 22, badLabel); err != nil {
		t.Fatal(err)
	}
	if l.Learnt != TallyOf(1, 20, 21) || l.Kept != TallyOf(1, 21, 22) || l.Rejected != TallyOf(1, 22, 23) || l.Accounted() != 3 {
		t.Errorf("%+v", l)
	}
	if a.Taken() != 2 || a.Total() != 1 || !errors.Is(a.Last(), badLabel) || a.Topic() != topic {
		t.Errorf("taken %d, rejected %d, last %v", a.Taken(), a.Total(), a.Last())
	}
	if len(before.Rejected) != 0 || before.Ledgers[1].Rejected.Count != 0 || before.Ledgers[0].Next != 10 || before.Ledgers[1].Next != 20 || before.Recent.Seen != 2 {
		t.Errorf("the account before was changed: %+v", before)
	}
	if a.Standing().Rejected[string(record.BadLabel)] != 1 {
		t.Errorf("%+v", a.Standing())
	}
	// Two of four: the third would be more than half, and is not noted.
	if err := a.Reject(l, 23, badLabel); err != nil {
		t.Fatal(err)
	}
	var tooMany *TooManyRejected
	if err := a.Reject(l, 24, badLabel); !errors.As(err, &tooMany) || tooMany.Rejected != 3 || l.Rejected.Count != 2 || a.Total() != 2 {
		t.Errorf("%v, %+v", err, l)
	}
}

// TestAnAccountGoesOn: counts go on as they were saved, but where records are read otherwise than before, earlier rejections stop nobody.
func TestAnAccountGoesOn(t *testing.T) {
	limit := RejectLimit{Share: 0.5, Window: 4}
	a := NewAccount(limit)
	a.Begin(kafka.TopicID{1}, []int64{0})
	l := a.Ledgers().Of(0, 0)
	a.Learnt(l, 0, false)
	a.Learnt(l, 1, true)
	for offset := range int64(2) {
		if err := a.Reject(l, 2+offset, badLabel); err != nil {
			t.Fatal(err)
		}
	}
	for _, otherwise := range []bool{false, true} {
		again := NewAccount(limit)
		if err := again.Restore(a.Standing(), otherwise); err != nil {
			t.Fatal(err)
		}
		if again.Taken() != 2 || again.Total() != 2 || again.Topic() != a.Topic() || !reflect.DeepEqual(*again.Ledgers(), *a.Ledgers()) {
			t.Errorf("otherwise %v: %+v", otherwise, again)
		}
		if err := again.Reject(again.Ledgers().Of(0, 0), 4, badLabel); (err != nil) == otherwise {
			t.Errorf("otherwise %v: the next rejection is %v", otherwise, err)
		}
	}
	if err := NewAccount(limit).Restore(Standing{}, false); err != nil {
		t.Error(err)
	}
}

// TestALedgerMovesOverADelivery: to its end, or to where the input is to end, and over what was lost.
func TestALedgerMovesOverADelivery(t *testing.T) {
	lost := func(kind kafka.LossKind, n int64) *kafka.DataLoss { return &kafka.DataLoss{Kind: kind, Lost: n} }
	for name, c := range map[string]struct {
		at       int64
		d        cluster.Delivery
		end      int64 // -1: without a goal
		want     int64
		epoch    LeaderEpoch
		lost     int64
		restarts bool
		moved    bool
	}{
		"to its end":                  {5, cluster.Delivery{Next: 9, Epoch: 3}, -1, 9, 3, 0, false, true},
		"is there":                    {9, cluster.Delivery{Next: 9, Epoch: 3}, -1, 9, 3, 0, false, false},
		"to the goal":                 {5, cluster.Delivery{Next: 9, Epoch: 3}, 7, 7, -1, 0, false, true},
		"beyond the goal":             {8, cluster.Delivery{Next: 9, Epoch: 3}, 7, 8, 2, 0, false, false},
		"over a loss":                 {5, cluster.Delivery{Next: 9, Epoch: 3, Loss: lost(kafka.LossReplaced, 4)}, -1, 9, 3, 4, true, true},
		"a loss of an unknown number": {5, cluster.Delivery{Next: 9, Epoch: 3, Loss: lost(kafka.LossReplaced, -1)}, -1, 9, 3, 0, true, true},
		"a loss beyond the goal":      {5, cluster.Delivery{Next: 9, End: 20, Epoch: 3, Loss: lost(kafka.LossReplaced, 4)}, 7, 9, 3, 4, true, true},
		"back to the beginning":       {5, cluster.Delivery{Next: 0, End: 3, Epoch: 3, Loss: lost(kafka.LossRecreated, -1)}, 7, 0, 3, 0, true, true},
		"to the goal of a new log":    {5, cluster.Delivery{Next: 4, End: 3, Epoch: 3, Loss: lost(kafka.LossRecreated, -1)}, 7, 3, -1, 0, true, true},
		"gone":                        {5, cluster.Delivery{Next: -1, Epoch: 3, Loss: lost(kafka.LossPartitionGone, -1)}, 7, -1, 3, 0, false, true},
		"a loss without a move":       {9, cluster.Delivery{Next: 9, Epoch: 3, Loss: lost(kafka.LossReplaced, 2)}, -1, 9, 3, 2, true, true},
	} {
		a := NewAccount(RejectLimit{Share: 1, Window: 1})
		a.Begin(kafka.TopicID{1}, []int64{c.at})
		l := a.Ledgers().Of(0, 0)
		l.LeaderEpoch = 2
		a.Learnt(l, 0, false)
		var goal *Goal
		if c.end >= 0 {
			goal = &Goal{ends: map[int32]int64{0: c.end}, suspect: map[int32]bool{}}
		}
		moved := a.Finish(l, &c.d, goal)
		if restarted := l.Since == (Restart{1, c.want}); l.Next != c.want || l.LeaderEpoch != c.epoch || l.Lost != c.lost || restarted != c.restarts || moved != c.moved || a.Topic() != (kafka.TopicID{1}) {
			t.Errorf("%s: %+v, moved %v", name, l, moved)
		}
		c.d.ID = kafka.TopicID{2}
		if a.Finish(l, &c.d, goal); a.Topic() != c.d.ID {
			t.Errorf("%s: topic %v", name, a.Topic())
		}
	}
}

// TestLedgersInASnapshot: what is written is read, an unknown epoch included, and more records than offsets are noticed.
func TestLedgersInASnapshot(t *testing.T) {
	var all Ledgers
	for _, partition := range []int32{5, 1, 3, 1} {
		all.Of(partition, 10*int64(partition))
	}
	all.Of(3, 0).LeaderEpoch, all.Of(5, 0).Next, all.Of(1, 0).Learnt = 0, -1, TallyOf(1, 0, 3)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var again Ledgers
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, all) {
		t.Errorf("%+v, %v, want %+v", again, err, all)
	}
	if next := all.Next(); !reflect.DeepEqual(next, map[int32]int64{1: 10, 3: 30}) {
		t.Errorf("next %v", next)
	}
	if epochs := all.Epochs(); !reflect.DeepEqual(epochs, map[int32]int32{3: 0}) {
		t.Errorf("epochs %v", epochs)
	}
	for _, text := range []string{`{"sum":"0123"}`, `{"sum":"0123456789abcdefff"}`, `{"sum":"xx23456789abcdef"}`, `[]`} {
		if json.Unmarshal([]byte(text), new(Tally)) == nil {
			t.Errorf("%s is a tally", text)
		}
	}
	for _, c := range []struct {
		next, since, accounted, counted int64
		over                            bool
	}{{10, 0, 10, 0, false}, {10, 0, 11, 0, true}, {10, 4, 9, 3, false}, {10, 4, 10, 3, true}, {0, 0, 1, 0, true}, {-1, 0, 1, 0, false}} {
		l := Ledger{Next: c.next, Learnt: Tally{Count: c.accounted}, Since: Restart{Accounted: c.counted, Offset: c.since}}
		if l.Overcounted() != c.over {
			t.Errorf("%+v: %v", c, l.Overcounted())
		}
	}
	if a, b := TallyOf(0, 0, 100), TallyOf(1, 0, 100); a.Sum == b.Sum || a.Count != 100 || a.Sum == TallyOf(0, 1, 101).Sum {
		t.Errorf("%+v, %+v", a, b)
	}
}
