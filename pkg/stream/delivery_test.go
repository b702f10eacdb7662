package stream

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
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
