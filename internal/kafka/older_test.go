package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// TestOlderBrokersAreRead in the newest version of fetches that both know; by a topic's id only where the cluster says it.
func TestOlderBrokersAreRead(t *testing.T) {
	for name, c := range map[string]struct{ fetch, metadata, want int16 }{
		"the oldest":           {10, 9, wire.FetchOldest},
		"before topic ids":     {11, 9, wire.FetchByName},
		"ids that no one uses": {12, 10, wire.FetchByName},
		"by id":                {13, 10, wire.FetchByID},
		"ids are not told":     {13, 9, wire.FetchByName},
	} {
		t.Run(name, func(t *testing.T) {
			versions := kversion.Stable()
			versions.SetMaxKeyVersion(int16(protocol.Fetch), c.fetch)
			versions.SetMaxKeyVersion(int16(protocol.Metadata), c.metadata)
			w := embedded(t, devbroker.Options{Fake: []kfake.Opt{kfake.MaxVersions(versions)}})
			w.must(w.dev.Cluster.CreateTopic("topic", 1, nil))
			w.write("topic", 0, 0, 3)
			var asked atomic.Int32
			w.dev.Cluster.ControlKey(int16(protocol.Fetch), func(request kmsg.Request) (kmsg.Response, error, bool) {
				asked.Store(int32(request.GetVersion()))
				w.dev.Cluster.KeepControl()
				return nil, nil, false
			})
			var found []string
			next, err := w.Read(w.context(), "topic", 0, Earliest, End, func(r *Record) error { found = append(found, string(r.Value)); return nil })
			if err != nil || next != 3 || !slices.Equal(found, values(0, 3)) || int16(asked.Load()) != c.want {
				t.Errorf("%q up to %d in version %d, %v", found, next, asked.Load(), err)
			}
		})
	}
}

// TestRequestsLeaveTimeForTheirAnswers: a broker is to answer within half of the time that we wait, and a fetch as soon as there is a byte.
func TestRequestsLeaveTimeForTheirAnswers(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	var mutex sync.Mutex
	asked := map[string]int32{}
	for _, api := range []protocol.ApiKey{protocol.Produce, protocol.CreateTopics, protocol.DeleteTopics, protocol.Fetch} {
		w.dev.Cluster.ControlKey(int16(api), func(request kmsg.Request) (kmsg.Response, error, bool) {
			mutex.Lock()
			defer mutex.Unlock()
			w.dev.Cluster.KeepControl()
			switch r := request.(type) {
			case *kmsg.ProduceRequest:
				asked["produce"], asked["acks"] = r.TimeoutMillis, int32(r.Acks)
			case *kmsg.CreateTopicsRequest:
				asked["create"] = r.TimeoutMillis
			case *kmsg.DeleteTopicsRequest:
				asked["delete"] = r.TimeoutMillis
			case *kmsg.FetchRequest:
				asked["fetch"], asked["bytes"] = r.MaxWaitMillis, r.MinBytes
			}
			return nil, nil, false
		})
	}
	if _, err := w.CreateTopics(w.context(), TopicSpec{Name: "events", Kind: EventTopic, Partitions: 1}); err != nil {
		t.Fatal(err)
	}
	w.write("events", 0, 0, 1)
	if next, err := w.Read(w.context(), "events", 0, Earliest, End, func(*Record) error { return nil }); err != nil || next != 1 {
		t.Errorf("%d, %v", next, err)
	}
	w.must(w.DeleteTopic(w.context(), "events"))
	mutex.Lock()
	if want := map[string]int32{"produce": 10_000, "acks": -1, "create": 10_000, "delete": 10_000, "fetch": 500, "bytes": 1}; !maps.Equal(asked, want) {
		t.Errorf("%v, not %v", asked, want)
	}
	mutex.Unlock()
	ended, end := context.WithCancel(t.Context())
	end()
	if offset, err := w.Append(ended, "events", 0, Message{}); offset != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("offset %d, %v", offset, err)
	}
	if offset, err := w.Append(w.context(), "events", 0); offset != 0 || !errors.Is(err, errNothing) {
		t.Errorf("offset %d of no message, %v", offset, err)
	}
}
