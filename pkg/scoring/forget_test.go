package scoring

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/follow"
)

// TestAnAliasThatIsForgotten: the alias that decides is deleted, and the follower gives its document up. Records wait until the alias is back.
func TestAnAliasThatIsForgotten(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	must(t, err)
	t.Cleanup(b.Close)
	w := newWorld(t, b.Addresses()[0], 600)
	move := func() {
		alias := modeltopic.MoveAlias("adult", "canary", 1,
			modeltopic.Target{Place: modeltopic.Place{Term: w.doc.Lineage.Term, Version: w.doc.Version}, SHA256: w.doc.WeightsSHA256}, nil)
		_, err := w.client.Produce(t.Context(), w.base+".models", 0, alias)
		must(t, err)
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for range 2000 {
			if is() {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("never: %s", what)
	}
	f, err := follow.Open(follow.Options{Kafka: w.config, Topic: w.base + ".models", Job: "adult", Alias: "canary", Forget: true})
	must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	options := w.options()
	options.Models, options.UntilEnd = f, false
	s, err := prepare(w.client, options)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()

	move()
	w.put(0, 300)
	decided := func(n int64) func() bool {
		return func() bool { status := s.Status(); return status.Scored+status.Rejected == n }
	}
	until("the decisions of the first records", decided(300))
	_, err = w.client.Produce(t.Context(), w.base+".models", 0, kafka.Message{Key: []byte("adult/canary")})
	must(t, err)
	until("the deletion of the alias", func() bool { return f.Current() == nil })
	w.put(300, 600)
	time.Sleep(100 * time.Millisecond) // for a worker to meet them
	if !decided(300)() {
		t.Errorf("decided without a document: %+v", s.Status())
	}
	move()
	until("the decisions of all records", decided(600))
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.check(600, nil)
}
