package integration

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/fairstream/fairstream/pkg/stream"
)

// TestAbortedTransactionsAreNotLearnt writes transactions, every third of which is aborted, and leaves the
// last one open.
func TestAbortedTransactionsAreNotLearnt(t *testing.T) {
	onBrokers(t, func(t *testing.T, c *cluster) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		producer := c.franz(t, kgo.TransactionalID(c.topics.Input), kgo.DefaultProduceTopic(c.topics.Input), kgo.RecordPartitioner(kgo.ManualPartitioner()))
		const size, transactions = 50, 12
		lines := adultLines(t, size*transactions)
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
		var open []stream.OpenTransaction
		var mutex sync.Mutex
		options.Notify = func(event stream.Event) {
			if o, is := event.(stream.OpenTransaction); is {
				mutex.Lock()
				defer mutex.Unlock()
				open = append(open, o)
			}
		}
		s := c.run(t, options)
		if len(open) != 1 || open[0].Waiting != size {
			t.Errorf("of the open transaction was told: %+v", open)
		}
		models, err := stream.ReadModels(t.Context(), c, c.topics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		if want := weightsOf(t, options.Model, committed); models.Newest().WeightsSHA256 != want || s.Status().Version != int64(len(committed)) {
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
