package intake

import (
	"slices"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
)

// holding is a source that notes what is held.
type holding struct {
	cluster.Source
	places []kafka.Place
}

func (h *holding) Hold(from kafka.Place, _ <-chan struct{}) { h.places = append(h.places, from) }

// TestHeldPartitions: a partition is read again from the record that waits. Deliveries that were fetched before are passed over, those of other partitions
// are not, and a partition is told of once.
func TestHeldPartitions(t *testing.T) {
	source := &holding{}
	h := NewHolds(source)
	id := kafka.TopicID{1}
	pending := &format.Pending{Schema: "schema id 7", Ready: make(chan struct{})}
	early := &cluster.Delivery{Partition: 2, ID: id, First: 10}
	h.Hold(early, &Ledger{Partition: 2, Next: 15, LeaderEpoch: 3}, pending)
	for _, test := range []struct {
		delivery cluster.Delivery
		passed   bool
	}{{*early, true}, {cluster.Delivery{Partition: 2, Turn: 1}, false}, {cluster.Delivery{Partition: 1}, false}} {
		if h.Passed(&test.delivery) != test.passed {
			t.Errorf("partition %d, turn %d: passed over %v, want %v", test.delivery.Partition, test.delivery.Turn, !test.passed, test.passed)
		}
	}
	// The record waits for another schema next, and then the partition is gone and comes back.
	since := h.Held()[0].Since
	h.Hold(&cluster.Delivery{Partition: 2, ID: id, Turn: 1}, &Ledger{Partition: 2, Next: 15, LeaderEpoch: 3}, &format.Pending{Schema: "schema id 8"})
	h.Hold(&cluster.Delivery{Partition: 0, ID: id, First: 4}, &Ledger{Partition: 0, Next: -1, LeaderEpoch: 5}, pending)
	if want := []kafka.Place{{Partition: 2, ID: id, Offset: 15, Epoch: 3}, {Partition: 2, ID: id, Offset: 15, Epoch: 3}, {Partition: 0, ID: id, Offset: 4, Epoch: -1}}; !slices.Equal(source.places, want) {
		t.Errorf("held from %+v, want %+v", source.places, want)
	}
	held := h.Held()
	if len(held) != 2 || held[0].Partition != 0 || held[1].Schema != "schema id 8" || held[1].Since != since || !h.Passed(&cluster.Delivery{Partition: 2, Turn: 1}) {
		t.Errorf("%+v", held)
	}
	now := time.Now()
	if all := h.Observe(now); len(all) > 0 {
		t.Errorf("told of at once: %+v", all)
	}
	if all := h.Observe(now.Add(longHold)); len(all) != 2 || len(h.Observe(now.Add(2*longHold))) != 0 {
		t.Errorf("told of %+v, want both, once", all)
	}
	if !h.Free(2) || h.Free(2) || len(h.Held()) != 1 {
		t.Errorf("after partition 2 goes on, %+v are held", h.Held())
	}
}
