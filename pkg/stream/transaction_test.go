package stream

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
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
		s := c.run(t, options)
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
