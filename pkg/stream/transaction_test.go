package stream

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestAbortedTransactionsAreNotLearnt writes transactions, every third of which is aborted, and leaves the
// last one open.
func TestAbortedTransactionsAreNotLearnt(t *testing.T) {
	onBrokers(t, 1, func(t *testing.T, c *cluster) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		producer, err := kgo.NewClient(kgo.SeedBrokers(c.addresses...), kgo.TransactionalID(c.topics.Input), kgo.DefaultProduceTopic(c.topics.Input),
			kgo.RecordPartitioner(kgo.ManualPartitioner()))
		if err != nil {
			t.Fatal(err)
		}
		defer producer.Close()
		const size, transactions = 50, 12
		lines := adultLines()[:size*transactions]
		var committed []string
		for i := range transactions {
			if err := producer.BeginTransaction(); err != nil {
				t.Fatal(err)
			}
			part := lines[i*size : (i+1)*size]
			for _, line := range part {
				producer.Produce(ctx, &kgo.Record{Value: []byte(line)}, nil)
			}
			if err := producer.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			end := kgo.TryCommit
			switch {
			case i == transactions-1:
				continue // open
			case i%3 == 1:
				end = kgo.TryAbort
			default:
				committed = append(committed, part...)
			}
			if err := producer.EndTransaction(ctx, end); err != nil {
				t.Fatal(err)
			}
		}
		options := c.options()
		options.Model.Learner.Warmup = 100
		var open []OpenTransaction
		var mutex sync.Mutex
		options.Notify = func(event Event) {
			if o, is := event.(OpenTransaction); is {
				mutex.Lock()
				defer mutex.Unlock()
				open = append(open, o)
			}
		}
		s := c.run(t, options)
		if len(open) != 1 || open[0].Waiting != size {
			t.Errorf("of the open transaction was told: %+v", open)
		}
		models, err := ReadModels(t.Context(), c, c.topics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		if want := plainWith(t, options.Model.WithDefaults(), committed); models.Newest().WeightsSHA256 != want || s.Status().Version != int64(len(committed)) {
			t.Errorf("learnt %d with weights %s; committed are %d, with %s", s.Status().Version, models.Newest().WeightsSHA256, len(committed), want)
		}
		if err := producer.EndTransaction(ctx, kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
		if s := c.run(t, options); s.Status().Version != int64(len(committed)+size) {
			t.Errorf("after the last commit: learnt %d, want %d", s.Status().Version, len(committed)+size)
		}
	})
}

func TestLongTransactionsAreTold(t *testing.T) {
	open := transactions{}
	begin := time.Now()
	at := func(seconds int, stable, high int64) int {
		return len(open.observe([]kafka.Position{{LastStable: stable, HighWatermark: high}}, begin.Add(time.Duration(seconds)*time.Second)))
	}
	for _, step := range []struct {
		seconds      int
		stable, high int64
		want         int
	}{{0, -1, -1, 0}, {1, 10, 10, 0}, {2, 10, 20, 0}, {61, 10, 30, 0}, {62, 10, 30, 1}, {200, 10, 40, 0}, {201, 20, 40, 0}, {260, 20, 40, 0}, {261, 20, 50, 1}, {270, 50, 50, 0}} {
		if got := at(step.seconds, step.stable, step.high); got != step.want {
			t.Errorf("after %d s: told of %d", step.seconds, got)
		}
	}
}
