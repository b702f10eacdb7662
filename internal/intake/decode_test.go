package intake

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
)

// TestALargeDeliveryIsForgotten: nothing refers to the memory of a large delivery once it was given back.
func TestALargeDeliveryIsForgotten(t *testing.T) {
	schema := keyedSchema(t)
	p := NewPipeline(nil, 1, 0, &observe.Juries{}, format.JSON)
	d := decoding{decoder: format.JSON.NewDecoder(schema), juries: p.juries}
	task := <-p.idle
	given := false
	task.Delivery = &cluster.Delivery{Large: true, Release: func() {}, Records: func(context.Context) ([]kafka.Record, error) {
		if given {
			return nil, nil
		}
		given = true
		return []kafka.Record{{Value: []byte(`{"person":"a","age":40,"sex":"Male","income":">50K"}`)}}, nil
	}}
	if err := task.decode(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
	used := <-task.Filled
	if used.Count != 1 || len(used.Entries[0].Record.Features) == 0 {
		t.Fatalf("%d records", used.Count)
	}
	p.GiveBack(task, used)
	if e := &used.Entries[0]; e.Source != nil || e.Record.Features != nil || e.Record.Attributes != nil {
		t.Error("the parcel still refers to the record")
	}
}

// TestTheLastParcelMayComeBackFirst: a part that frees the last parcel of a delivery may overtake the one that frees the parcel before.
func TestTheLastParcelMayComeBackFirst(t *testing.T) {
	p := NewPipeline(nil, 1, 0, &observe.Juries{}, format.JSON)
	task := <-p.idle
	released := false
	task.Delivery = &cluster.Delivery{Release: func() { released = true }}
	first, last := <-task.free, <-task.free
	last.Last = true
	p.GiveBack(task, last)
	p.GiveBack(task, first)
	if !released || len(task.free) != parcelsPerTask {
		t.Errorf("released %t, %d parcels free", released, len(task.free))
	}
}
