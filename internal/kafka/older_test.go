package kafka

import (
	"slices"
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
