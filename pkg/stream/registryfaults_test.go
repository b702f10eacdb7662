package stream

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/format/avro"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/intake"
)

// TestTheRegistryFailsAndTheProcessIsKilled: a partition with a known schema goes on, the wait names its cause, the next process waits too, now for
// both schemas, and in the end each record is learnt once. `make formats` does the same with a real registry, and twenty processes that are killed.
func TestTheRegistryFailsAndTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	answer := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		cause string
	}{
		"wrong password":  {answer(http.StatusUnauthorized), "registry.password_file"},
		"no right":        {answer(http.StatusForbidden), "right to read schemas"},
		"overloaded":      {answer(http.StatusServiceUnavailable), "answers 503"},
		"slow":            {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "does not answer"},
		"stopped":         {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "does not answer"},
		"restarted empty": {unknownSchema, "does not know the id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fault atomic.Pointer[http.HandlerFunc]
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if f := fault.Load(); f != nil {
					(*f)(w, r)
					return
				}
				giveSchema(w, r)
			}))
			t.Cleanup(server.Close)
			messages, _ := adultMessages(t, 1200) // of the second schema from 600 on
			world := newWorld(2)
			world.Put(testTopics.Input, 1, messages[:100]...)
			options := testOptions()
			options.Model.Record.Ignore = nil
			start := func() *background {
				f, err := avro.Registry(registry.Config{URLs: []string{server.URL}, UnknownAfter: 3 * time.Second, Timeout: 500 * time.Millisecond})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(f.Close)
				options.Format = f
				return inBackground(t, world, options)
			}
			await := func(b *background, what string, done func(Status) bool) {
				t.Helper()
				for end := time.Now().Add(5 * time.Minute); !done(b.Status()); time.Sleep(time.Millisecond) {
					if time.Now().After(end) {
						t.Fatalf("%s: version %d, held %v, waits %v", what, b.Status().Version, b.Status().Held, b.Status().Waits)
					}
				}
			}
			b := start()
			await(b, "the first schema", func(s Status) bool { return s.Version == 100 })
			fault.Store(&c.fault)
			world.Put(testTopics.Input, 0, messages[600:]...)
			world.Put(testTopics.Input, 1, messages[100:300]...)
			await(b, "the partition with a known schema", func(s Status) bool { return s.Version == 300 })
			await(b, "the cause", func(s Status) bool {
				return len(s.Held) == 1 && s.Held[0].Partition == 0 && len(s.Waits) == 1 && s.Waits[0].Cause != nil && strings.Contains(s.Waits[0].Cause.Error(), c.cause)
			})
			kill(t, world, b)
			world.Put(testTopics.Input, 1, messages[300:600]...)
			b = start()
			await(b, "both schemas are awaited", func(s Status) bool { return len(s.Held) == 2 && len(s.Waits) == 2 })
			fault.Store(nil)
			await(b, "all", func(s Status) bool { return s.Version == 1200 })
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
			status := b.Status()
			for i, ledger := range status.Partitions {
				if ledger.Learnt != intake.TallyOf(int32(i), 0, 600) || len(status.Rejected) > 0 {
					t.Errorf("ledger %+v, rejected %v", ledger, status.Rejected)
				}
			}
		})
	}
}

// kill ends a process of which nothing more arrives.
func kill(t *testing.T, world *clustertest.Memory, b *background) {
	t.Helper()
	inject := func(f func(string) clustertest.Fault) {
		world.Mutex.Lock()
		defer world.Mutex.Unlock()
		world.Inject = f
	}
	inject(func(operation string) clustertest.Fault {
		if strings.HasPrefix(operation, "append ") {
			return clustertest.Fault{Err: clustertest.ErrFatal}
		}
		return clustertest.Fault{}
	})
	if err := b.end(); !errors.Is(err, clustertest.ErrInjected) {
		t.Fatalf("killed: %v", err)
	}
	inject(nil)
}
