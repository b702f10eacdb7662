package stream

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestLostRecords: a job has learnt 300 records when something happens to its topic.
func TestLostRecords(t *testing.T) {
	lines := adultLines()
	for _, test := range []struct {
		name    string
		happens func(*clustertest.Memory)
		kind    kafka.LossKind
		// learnt in the end, and offsets counted as lost, by policy
		earliest, latest, lost int64
	}{
		{"retention passed the offset", func(m *clustertest.Memory) {
			m.Put(testTopics.Input, 0, lines[300:500]...)
			log := m.Topics[testTopics.Input].Partitions[0]
			log.Start, log.Records = 350, log.Records[350:]
		}, kafka.LossBelowStart, 450, 300, 50},
		{"the log was cut", func(m *clustertest.Memory) {
			log := m.Topics[testTopics.Input].Partitions[0]
			log.Records = log.Records[:200]
		}, kafka.LossAboveEnd, 500, 300, 100},
		{"made again, shorter", func(m *clustertest.Memory) {
			m.Make(testTopics.Input, 1)
			m.Put(testTopics.Input, 0, lines[:100]...)
		}, kafka.LossRecreated, 400, 300, 0},
		{"made again, as long", func(m *clustertest.Memory) {
			m.Make(testTopics.Input, 1)
			m.Put(testTopics.Input, 0, lines[300:600]...)
		}, kafka.LossRecreated, 600, 300, 0},
		{"made again, longer", func(m *clustertest.Memory) {
			m.Make(testTopics.Input, 1)
			m.Put(testTopics.Input, 0, lines[300:700]...)
		}, kafka.LossRecreated, 700, 300, 0},
	} {
		policies := kafka.LossPolicies
		if testing.Short() {
			policies = policies[:1]
		}
		for _, policy := range policies {
			t.Run(test.name+", "+string(policy), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					world := newWorld(1)
					world.Put(testTopics.Input, 0, lines[:300]...)
					options := testOptions()
					run(t, world, options)
					test.happens(world)
					var told events
					options.DataLoss, options.Notify = policy, told.add
					if policy == kafka.LossFails {
						var loss *kafka.DataLoss
						if err := New(world, options).Run(t.Context()); !errors.As(err, &loss) || loss.Kind != test.kind {
							t.Errorf("error %v, want %s", err, test.kind)
						}
						return
					}
					want := test.earliest
					if policy == kafka.LossLatest {
						want = test.latest
					}
					s := run(t, world, options)
					status := s.Status()
					if status.Version != want || status.Partitions[0].Lost != test.lost {
						t.Errorf("learnt %d, lost %d; want %d and %d", status.Version, status.Partitions[0].Lost, want, test.lost)
					}
					if lost := of[DataLost](&told); len(lost) != 1 || lost[0].Loss.Kind != test.kind {
						t.Errorf("told %+v", lost)
					}
					told = events{}
					options.Notify = told.add
					run(t, world, options)
					if lost := of[DataLost](&told); len(lost) != 0 {
						t.Errorf("told again: %+v", lost)
					}
					// What was accepted is no double count, then and later; a real one is still found.
					world.Put(testTopics.Input, 0, lines[700:800]...)
					run(t, world, options)
					v, err := VerifyState(t.Context(), world, options)
					if err != nil || len(v.Problems) > 0 {
						t.Errorf("verified: %+v, %v", v, err)
					}
					ledger := v.Snapshot.Partitions[0]
					if ledger.Learnt.Count += ledger.Next - ledger.Since.Offset + 1; !ledger.Overcounted() {
						t.Errorf("a double count is not found: %+v", ledger)
					}
				})
			})
		}
	}
}

func TestANewPartitionIsPickedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:200]...)
		options := testOptions()
		b := inBackground(t, world, options)
		synctest.Wait()
		world.Mutex.Lock()
		topic := world.Topics[testTopics.Input]
		topic.Partitions = append(topic.Partitions, &clustertest.Log{Start: 5})
		world.Mutex.Unlock()
		world.Put(testTopics.Input, 1, adultLines()[200:300]...)
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if p := b.Status().Partitions[1]; p.Next != 105 || p.Learnt != intake.TallyOf(1, 5, 105) {
			t.Errorf("partition 1: %+v", p.Ledger)
		}
		world.Put(testTopics.Input, 1, adultLines()[300:400]...)
		if s := run(t, world, options); s.Status().Version != 400 {
			t.Errorf("learnt %d", s.Status().Version)
		}
	})
}

func TestACorruptBatchStopsBehindWhatCanBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		s := New(corrupting{world}, testOptions())
		var corrupt *kafka.CorruptError
		if err := s.Run(t.Context()); !errors.As(err, &corrupt) || s.Status().Version != 200 {
			t.Errorf("after %d records: %v", s.Status().Version, err)
		}
	})
}

// corrupting is a cluster whose batch at offset 200 cannot be read.
type corrupting struct{ *clustertest.Memory }

func (c corrupting) Fetch(options kafka.FetchOptions) (cluster.Source, error) {
	source, err := c.Memory.Fetch(options)
	return corruptingSource{source}, err
}

type corruptingSource struct{ cluster.Source }

func (s corruptingSource) Next(ctx context.Context) (*cluster.Delivery, error) {
	d, err := s.Source.Next(ctx)
	if err == nil && d.First == 200 {
		d.Records = func(context.Context) ([]kafka.Record, error) { return nil, &kafka.CorruptError{Offset: 200} }
	}
	return d, err
}
