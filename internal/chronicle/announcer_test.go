package chronicle

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// heartbeats writes messages of servers of decisions, one of which claims to be the event with an ID.
func heartbeats(t *testing.T, world *clustertest.Memory, n int, id string) {
	t.Helper()
	for i := range n {
		named := fmt.Sprint("serve/desk/1/", i)
		if i == n/2 {
			named = id
		}
		event := cloudevents.Event{ID: named, Source: cloudevents.Source("adult")}
		if _, err := world.Append(t.Context(), "events", 0, kafka.Message{Key: []byte("adult/serve/desk"), Value: []byte("{}"), Headers: event.Headers()}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHeartbeatsDoNotDelayAnOwner: one that begins from a snapshot with announcements reads nothing that was written before the snapshot, and tells what was
// not told, whatever a heartbeat calls itself.
func TestHeartbeatsDoNotDelayAnOwner(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1, "events": 1})
	r, _ := open(t, world, 1, Head{})
	events := Events{Cluster: world, Name: "events", Job: "adult"}
	owner, err := events.Announcer(t.Context(), r, Announced{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pending := []Announcement{{ID: "decisions/1/0/as_made/1", Decisions: &history.Judged{Subject: "as_made", Number: 1, Change: "alarm"}}}
	heartbeats(t, world, 1000, "")
	if err := owner.Ahead(t.Context(), nil); err != nil || owner.Saved(nil).Offset != 0 {
		t.Errorf("a snapshot without announcements looks at the topic: offset %d, %v", owner.Saved(nil).Offset, err)
	}
	if err := owner.Ahead(t.Context(), pending); err != nil {
		t.Fatal(err)
	}
	saved := owner.Saved(pending)
	if saved.Offset != 1000 {
		t.Errorf("the snapshot says that the topic ended at %d", saved.Offset)
	}
	heartbeats(t, world, 10, pending[0].ID) // then the owner is killed
	next, err := events.Announcer(t.Context(), r, saved, nil)
	if err == nil {
		err = next.CatchUp(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if last := world.LastUnder("events", "adult"); len(last.Value) == 0 {
		t.Error("the event was not told, because a heartbeat had its identifier")
	}
	again, err := events.Announcer(t.Context(), r, saved, nil)
	if err == nil {
		err = again.CatchUp(t.Context())
	}
	bounds, failed := world.Bounds(t.Context(), "events")
	if err != nil || failed != nil || bounds[0].End != 1011 {
		t.Errorf("the event was told again: the topic ends at %d; %v, %v", bounds[0].End, err, failed)
	}
}
