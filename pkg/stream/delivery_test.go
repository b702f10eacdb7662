package stream

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
)

// inParts is a cluster whose deliveries give their records in parts, from memory that is gone after Release.
type inParts struct {
	*clustertest.Memory
	parts int
}

type partSource struct {
	cluster.Source
	parts int
}

func (c inParts) Fetch(options kafka.FetchOptions) (cluster.Source, error) {
	source, err := c.Memory.Fetch(options)
	return partSource{source, c.parts}, err
}

func (s partSource) Next(ctx context.Context) (*cluster.Delivery, error) {
	d, err := s.Source.Next(ctx)
	if err != nil {
		return d, err
	}
	var rest []kafka.Record
	whole, begun := d.Records, false
	d.Records = func(ctx context.Context) ([]kafka.Record, error) {
		if !begun {
			records, err := whole(ctx)
			if err != nil {
				return nil, err
			}
			for _, r := range records {
				r.Value = bytes.Clone(r.Value)
				rest = append(rest, r)
			}
			begun, d.Large = true, true
		}
		n := min(s.parts, len(rest))
		part := rest[:n:n]
		rest = rest[n:]
		return part, nil
	}
	return d, err
}

// TestADeliveryInParts learns what the same records in one piece do.
func TestADeliveryInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := adultLines()[:900]
		want := plain(t, lines).WeightsSHA256
		for _, parts := range []int{1000, 1, 7, 64} {
			world := newWorld(1)
			world.Batch = 300
			world.Put(testTopics.Input, 0, lines...)
			if s := run(t, inParts{world, parts}, testOptions()); s.Status().Version != 900 {
				t.Fatalf("in parts of %d: learnt %d", parts, s.Status().Version)
			}
			if got := newest(t, world).WeightsSHA256; got != want {
				t.Errorf("in parts of %d: other weights", parts)
			}
		}
	})
}

// TestALargeDeliveryIsForgotten: nothing refers to the memory of a large delivery once it was given back.
func TestALargeDeliveryIsForgotten(t *testing.T) {
	schema := mustSchema(t, adultModel().WithDefaults())
	p := newPipeline(1, &observe.Juries{})
	d := decoding{decoder: schema.NewDecoder(), juries: p.juries}
	task := <-p.idle
	given := false
	task.delivery = &cluster.Delivery{Large: true, Release: func() {}, Records: func(context.Context) ([]kafka.Record, error) {
		if given {
			return nil, nil
		}
		given = true
		return []kafka.Record{{Value: []byte(adultLines()[0])}}, nil
	}}
	if err := task.decode(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
	used := <-task.filled
	if used.Count != 1 || len(used.Entries[0].Record.Features) == 0 {
		t.Fatalf("%d records", used.Count)
	}
	p.giveBack(task, used)
	if e := &used.Entries[0]; e.Source != nil || e.Record.Features != nil || e.Record.Attributes != nil {
		t.Error("the parcel still refers to the record")
	}
}

// TestTheLastParcelMayComeBackFirst: a part that frees the last parcel of a delivery may overtake the one that frees the parcel before.
func TestTheLastParcelMayComeBackFirst(t *testing.T) {
	p := newPipeline(1, &observe.Juries{})
	task := <-p.idle
	released := false
	task.delivery = &cluster.Delivery{Release: func() { released = true }}
	first, last := <-task.free, <-task.free
	last.last = true
	p.giveBack(task, last)
	p.giveBack(task, first)
	if !released || len(task.free) != parcelsPerTask {
		t.Errorf("released %t, %d parcels free", released, len(task.free))
	}
}
