package integration

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
	"github.com/fairstream/fairstream/test/broker"
)

// atOnce makes the real cleaner clean all but the segment that is being written.
var atOnce = map[string]string{"segment.ms": "100", "min.cleanable.dirty.ratio": "0.001", "max.compaction.lag.ms": "100",
	"min.compaction.lag.ms": "0", "delete.retention.ms": "0"}

// idempotent writes a few messages under keys of another job, by a producer whose last batch the cleaner
// keeps even when no record of it is left.
func (c *cluster) idempotent(t *testing.T, topic string) {
	t.Helper()
	producer := c.franz(t, kgo.DefaultProduceTopic(topic))
	for i := range 3 {
		record := kgo.Record{Key: fmt.Appendf(nil, "other/key/%d", i), Value: []byte("value")}
		if err := producer.ProduceSync(t.Context(), &record).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheCleanerTakesNothingThatCounts: the real cleaner compacts state and model topic between runs of a
// job, down to a few records and batches without any. Every run goes on where the last one stopped, and
// what was published last is found.
func TestTheCleanerTakesNothingThatCounts(t *testing.T) {
	c := newCluster(t, broker.Shared(t).Address)
	options := c.options()
	options.KeepVersions = 2
	for _, topic := range []string{c.topics.State, c.topics.Model} {
		broker.Alter(t, c.addresses[0], topic, atOnce)
	}
	const runs, each = 6, 300
	lines := adultLines(t, runs*each)
	for i := range runs {
		c.put(t, lines[i*each:(i+1)*each])
		s := c.run(t, options)
		if status := s.Status(); status.Version != int64((i+1)*each) || status.Claim.Term != int64(i+1) {
			t.Fatalf("run %d: learnt %d in term %d", i+1, status.Version, status.Claim.Term)
		}
		for _, topic := range []string{c.topics.State, c.topics.Model} {
			c.idempotent(t, topic)
		}
		time.Sleep(150 * time.Millisecond) // the segment is old enough: the next record begins another
	}
	for _, topic := range []string{c.topics.State, c.topics.Model} {
		c.idempotent(t, topic)
		c.cleaned(t, topic)
	}
	state, err := stream.ReadState(t.Context(), c, c.topics.State, "adult")
	if err != nil || state.Snapshot == nil || state.Snapshot.Version != runs*each || state.Snapshot.Partitions[0].Learnt != intake.TallyOf(0, 0, runs*each) {
		t.Errorf("the state is %+v, %v", state, err)
	}
	models, err := stream.ReadModels(t.Context(), c, c.topics.Model, "adult")
	if err != nil || models.Newest() == nil || models.Newest().WeightsSHA256 != weightsOf(t, options.Model, lines) {
		t.Errorf("the newest weights are not those of all records, %v", err)
	}
	var left []int64
	for _, m := range models.Versions {
		left = append(left, m.Version)
	}
	slices.Sort(left)
	if want := []int64{each, (runs - 1) * each, runs * each}; !slices.Equal(left, want) || models.Aliases["candidate"].Version != each {
		t.Errorf("versions %v and aliases %v, and not the candidate and the two newest, %v", left, models.Aliases, want)
	}
	if s := c.run(t, options); s.Status().Version != runs*each {
		t.Errorf("after the cleaning %d are learnt", s.Status().Version)
	}
}

// cleaned waits until most records of a topic are gone. All of what is left is read to the end of the log.
func (c *cluster) cleaned(t *testing.T, topic string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		records := int64(0)
		next, err := c.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(*kafka.Record) error { records++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		bounds, err := c.Bounds(t.Context(), topic)
		if err != nil {
			t.Fatal(err)
		}
		if next != bounds[0].End {
			t.Fatalf("%s: read to %d of %d", topic, next, bounds[0].End)
		}
		if records < next/2 {
			t.Logf("%s: %d of %d records are left", topic, records, next)
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: the cleaner left %d of %d records", topic, records, next)
		}
	}
}
