package chronicle

import (
	"context"
	"testing"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
)

// reaching is a topic from offset 5 to before 10, which notes from where it is read.
type reaching struct {
	cluster.Cluster
	from int64
}

func (*reaching) Bounds(context.Context, string) ([]kafka.Bounds, error) {
	return []kafka.Bounds{{Start: 5, End: 10}}, nil
}

func (r *reaching) Read(_ context.Context, _ string, _ int32, from, _ int64, _ func(*kafka.Record) error) (int64, error) {
	r.from = from
	return 10, nil
}

// TestWhereAnOwnerBeginsToRead the history: at the entry that the snapshot names; and the events: where they ended at the snapshot. What is not there any more, or not
// yet, is no place to begin at.
func TestWhereAnOwnerBeginsToRead(t *testing.T) {
	const nowhere = -7
	owed := []Announcement{{ID: "a"}}
	for offset, want := range map[int64][2]int64{0: {kafka.Earliest, kafka.Earliest}, 4: {kafka.Earliest, kafka.Earliest}, 5: {5, 5}, 9: {9, 9}, 10: {kafka.Earliest, 10}, 11: {kafka.Earliest, kafka.Earliest}} {
		world := &reaching{from: nowhere}
		r, damage, err := Topic{Cluster: world, Name: "history", Job: "adult"}.Open(t.Context(), Head{Offset: offset}, func(string) {})
		if err != nil || damage != "" || world.from != want[0] || r.next != 10 {
			t.Errorf("the history of offset %d is read from %d on: %q, %v", offset, world.from, damage, err)
		}
		events := Events{Cluster: world, Name: "events", Job: "adult"}
		for _, saved := range []Announced{{Offset: offset, Pending: owed}, {Offset: offset, Unwritten: owed}} {
			world.from = nowhere
			if a, err := events.Announcer(t.Context(), r, saved, nil); err != nil || world.from != want[1] || a.next != 10 {
				t.Errorf("events of offset %d are read from %d on, %v", offset, world.from, err)
			}
		}
		world.from = nowhere
		if a, err := events.Announcer(t.Context(), r, Announced{Offset: offset}, nil); err != nil || world.from != nowhere || a.next != 10 {
			t.Errorf("nothing is owed, and events are read from %d on, %v", world.from, err)
		}
	}
}

// TestRecordsOfAnotherJob are no entries, whatever they hold, and move nothing.
func TestRecordsOfAnotherJob(t *testing.T) {
	r, _ := open(t, clustertest.New(map[string]int{"history": 1}), 1, Head{})
	before := r.offset
	standing, problem, err := r.follow(&kafka.Record{Key: []byte(Key("other")), Value: []byte("no entry"), Offset: 9})
	if standing != history.Superseded || problem != nil || err != nil || r.offset != before {
		t.Errorf("%v, %+v, %v, offset %d", standing, problem, err, r.offset)
	}
}
