package intake

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
)

// forgetting is a decoder that counts how often it is to forget what it read.
type forgetting struct {
	format.Decoder
	forgot int
}

func (f *forgetting) Forget() {
	f.forgot++
	f.Decoder.Forget()
}

// TestALargeDeliveryIsForgotten: nothing refers to the memory of a large delivery once it was given back, neither its parcel nor the decoder. Of others the
// memory is used again.
func TestALargeDeliveryIsForgotten(t *testing.T) {
	schema := keyedSchema(t)
	for _, large := range []bool{true, false} {
		p := NewPipeline(nil, 1, 0, &observe.Juries{}, format.JSON)
		decoder := &forgetting{Decoder: format.JSON.NewDecoder(schema)}
		d := decoding{decoder: decoder, juries: p.juries}
		task := <-p.idle
		given := false
		task.Delivery = &cluster.Delivery{Large: large, Release: func() {}, Records: func(context.Context) ([]kafka.Record, error) {
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
		e := &used.Entries[0]
		if forgotten := e.Source == nil && e.Record.Features == nil && e.Record.Attributes == nil; forgotten != large || decoder.forgot != map[bool]int{true: 1}[large] {
			t.Errorf("a large delivery: %v, and the parcel forgets the record: %v, the decoder %d times", large, forgotten, decoder.forgot)
		}
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
