package stream

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

// silent is a cluster in which nothing is ever answered about one topic while mute is set, and nothing fails either.
type silent struct {
	*clustertest.Memory
	topic string
	mute  atomic.Bool
}

func (s *silent) Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (int64, error) {
	if err := s.wait(ctx, topic); err != nil {
		return 0, err
	}
	return s.Memory.Append(ctx, topic, partition, messages...)
}

func (s *silent) wait(ctx context.Context, topic string) error {
	for topic == s.topic && s.mute.Load() {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *silent) Produce(ctx context.Context, topic string) (cluster.Sink, error) {
	sink, err := s.Memory.Produce(ctx, topic)
	return silentSink{sink, s, topic}, err
}

type silentSink struct {
	cluster.Sink
	world *silent
	topic string
}

func (s silentSink) Flush(ctx context.Context) error {
	if err := s.world.wait(ctx, s.topic); err != nil {
		return err
	}
	return s.Sink.Flush(ctx)
}

// TestSavingIsWatched: whichever topic never answers, a process that learns and saves nothing says so after three intervals and a minute, with the
// topic; and it takes it back.
func TestSavingIsWatched(t *testing.T) {
	topics := []string{testTopics.State, testTopics.History, testTopics.Model, testTopics.DeadLetter}
	if testing.Short() {
		topics = topics[:1]
	}
	for _, topic := range topics {
		for _, interval := range []time.Duration{5 * time.Second, -1} {
			synctest.Test(t, func(t *testing.T) {
				world := &silent{Memory: newWorld(1), topic: topic}
				options := testOptions()
				options.Publish, options.Snapshot = Cadence{Records: 100}, Cadence{Records: 100, Interval: max(0, interval)}
				var told events
				options.Notify = told.add
				b := inBackground(t, world, options)
				world.Put(testTopics.Input, 0, adultLines()[:300]...)
				time.Sleep(3 * time.Minute) // nothing more comes: all is saved
				if stuck := b.Status().Stuck; stuck != "" {
					t.Fatalf("at rest: %s", stuck)
				}
				world.mute.Store(true)
				world.Put(testTopics.Input, 0, "no record")
				world.Put(testTopics.Input, 0, adultLines()[300:500]...)
				limit := 3*options.Snapshot.Interval + savingMargin
				time.Sleep(limit - time.Second)
				if stuck := b.Status().Stuck; stuck != "" {
					t.Errorf("too soon: %s", stuck)
				}
				time.Sleep(options.Snapshot.Interval + 10*time.Second)
				name := topic
				if topic == testTopics.DeadLetter {
					name = "dead letters"
				}
				if stuck := b.Status().Stuck; !strings.Contains(stuck, name) || len(of[SavingStuck](&told)) != 1 {
					t.Errorf("%s: stuck %q, told %+v", topic, stuck, of[SavingStuck](&told))
				}
				world.mute.Store(false)
				time.Sleep(options.Snapshot.Interval + 10*time.Second)
				if stuck := b.Status().Stuck; stuck != "" || len(of[SavingAgain](&told)) != 1 || b.Status().Snapshot.Version < 400 {
					t.Errorf("%s: afterwards %q, %d told, snapshot of version %d", topic, stuck, len(of[SavingAgain](&told)), b.Status().Snapshot.Version)
				}
				if err := b.end(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
