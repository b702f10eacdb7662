package modeltopic

import (
	"context"
	"errors"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
)

var errAway error = &kafka.Error{Operation: "call", Topic: "models", Partition: -1, Class: kafka.Fatal}

// failing is a cluster of which one call fails: the one before which so many succeed.
type failing struct {
	cluster.Cluster
	left int
}

func (f *failing) fails() bool {
	f.left--
	return f.left == -1
}

func (f *failing) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if f.fails() {
		return from, errAway
	}
	return f.Cluster.Read(ctx, topic, partition, from, to, use)
}

func (f *failing) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (int64, error) {
	if f.fails() {
		return 0, errAway
	}
	return f.Cluster.Append(ctx, topic, partition, messages...)
}

func (f *failing) Topic(ctx context.Context, name string) (kafka.TopicInfo, error) {
	if f.fails() {
		return kafka.TopicInfo{}, errAway
	}
	return f.Cluster.Topic(ctx, name)
}

func (f *failing) Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error) {
	if f.fails() {
		return nil, errAway
	}
	return f.Cluster.Bounds(ctx, topic)
}

// documented is a document of a version.
func documented(t *testing.T, version int64) *document.Document {
	t.Helper()
	encoder, err := features.NewFrozen(features.Parts{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, encoder.Size())
	weights[features.Intercept] = float64(version)
	d, err := document.New(document.Classification, encoder.Parts(), weights)
	if err != nil {
		t.Fatal(err)
	}
	d.Job, d.Version = "adult", version
	if d.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"income","positive":">50K"}}}`)); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestEveryCallThatFailsIsToldOf: whichever call to Kafka fails for good, the owner hears of it, and once Kafka is back, it publishes as if nothing had been.
func TestEveryCallThatFailsIsToldOf(t *testing.T) {
	// A life of an owner: a start, two versions, an alias that moves, and one that another moved back and is repaired.
	life := func(world *failing) (*Publisher, error) {
		p, err := Topic{Cluster: world, Name: "models", Job: "adult"}.Publish(t.Context(), Own{Keep: 3, Notify: func(Event) {}})
		if err != nil {
			return nil, err
		}
		p.Claim(2)
		first := documented(t, 100)
		before := len(world.Cluster.(*clustertest.Memory).Topics["models"].Partitions[0].Records)
		if size, err := p.Publish(t.Context(), first, nil); err != nil {
			if written := len(world.Cluster.(*clustertest.Memory).Topics["models"].Partitions[0].Records) > before; (size != 0) != written {
				t.Errorf("%d bytes are said to be published, %v", size, written)
			}
			return p, err
		}
		stable := &Assignment{Aliases: map[string]Target{"stable": {Place: Place{2, 100}, SHA256: first.WeightsSHA256}}}
		if err := p.Assign(t.Context(), stable); err != nil {
			return p, err
		}
		if _, err := p.Publish(t.Context(), documented(t, 200), stable); err != nil {
			return p, err
		}
		late := MoveAlias("adult", "stable", 1, Target{Place: Place{2, 200}, SHA256: first.WeightsSHA256}, nil)
		if _, err := world.Cluster.Append(t.Context(), "models", 0, late); err != nil {
			t.Fatal(err)
		}
		return p, p.Repair(t.Context())
	}
	whole := &failing{Cluster: clustertest.New(map[string]int{"models": 1}), left: 1 << 30}
	if _, err := life(whole); err != nil {
		t.Fatal(err)
	}
	calls := 1<<30 - whole.left
	if calls < 10 {
		t.Fatalf("%d calls", calls)
	}
	for n := range calls {
		world := &failing{Cluster: clustertest.New(map[string]int{"models": 1}), left: n}
		if _, err := life(world); !errors.Is(err, errAway) {
			t.Errorf("call %d of %d fails, and the owner is told %v", n+1, calls, err)
			continue
		}
		world.left = 1 << 30
		if _, err := life(world); err != nil {
			t.Errorf("after call %d failed: %v", n+1, err)
		}
		models, err := Topic{Cluster: world, Name: "models", Job: "adult"}.Models(t.Context())
		if err != nil || len(models.Versions) == 0 || models.Versions[len(models.Versions)-1].Version != 200 {
			t.Errorf("after call %d failed: %+v, %v", n+1, models, err)
		}
	}
	for n := range 4 {
		world := &failing{Cluster: whole.Cluster, left: n}
		if models, err := (Topic{Cluster: world, Name: "models", Job: "adult"}).Models(t.Context()); world.left < 0 && !errors.Is(err, errAway) {
			t.Errorf("call %d of a reader fails: %+v, %v", n+1, models, err)
		}
		world = &failing{Cluster: whole.Cluster, left: n}
		if deleted, err := (Topic{Cluster: world, Name: "models", Job: "adult"}).Prune(t.Context(), false); world.left < 0 && !errors.Is(err, errAway) {
			t.Errorf("call %d of a pruning fails: %v, %v", n+1, deleted, err)
		}
	}
}
