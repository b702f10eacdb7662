package chronicle

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

func announcer(t *testing.T, events Events, r *Recorder, saved Announced, steps ...Announcement) *Announcer {
	t.Helper()
	a, err := events.Announcer(t.Context(), r, saved, steps)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// alarms are announcements of the monitor, with numbers from first on.
func alarms(first, n int) (all []Announcement) {
	for i := first; i < first+n; i++ {
		all = append(all, Announcement{ID: fmt.Sprint("alarm/", i), Decisions: &history.Judged{Subject: "as_made", Number: int64(i), Change: "alarm"}})
	}
	return all
}

// eventsOn are the identifiers of the events of the job on the topic, in order.
func eventsOn(world *clustertest.Memory) (ids []string) {
	for i := range world.Topics["events"].Partitions[0].Records {
		for _, h := range world.Topics["events"].Partitions[0].Records[i].Headers {
			if h.Key == cloudevents.HeaderID {
				ids = append(ids, string(h.Value))
			}
		}
	}
	return ids
}

func idsOf(all []Announcement) (ids []string) {
	for _, one := range all {
		ids = append(ids, one.ID)
	}
	return ids
}

// TestEvents: what an event says of a change of the monitor and of a step of the releases.
func TestEvents(t *testing.T) {
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	world := clustertest.New(map[string]int{"history": 1, "events": 1})
	r, _ := open(t, world, 1, Head{})
	a := announcer(t, Events{Cluster: world, Name: "events", Job: "adult", Signer: signer}, r, Announced{})
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	all := []Announcement{{ID: "d", Decisions: &history.Judged{Subject: "as_made", Number: 1, Change: "alarm", EventTime: &at}},
		{ID: "r", Release: &history.Released{Number: 2, Step: "promoted"}}}
	if err := a.Tell(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	records := world.Topics["events"].Partitions[0].Records
	if got := told(t, world); !slices.Equal(got, []string{"d", "r"}) || len(records) != 2 || a.Saved(nil).Offset != 2 {
		t.Fatalf("told %q, %d events, %+v", got, len(records), a.Saved(nil))
	}
	for i, want := range []map[string]string{
		{"ce_id": "d", "ce_type": "io.fairstream.decisions.alarm.v1", "ce_subject": "as_made", "ce_time": "2026-03-04T05:06:07Z"},
		{"ce_id": "r", "ce_type": "io.fairstream.release.promoted.v1", "ce_subject": "releases", "ce_time": ""},
	} {
		record, got := records[i], map[string]string{}
		for _, h := range record.Headers {
			got[h.Key] = string(h.Value)
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("event %d: %s is %q, want %q (%v)", i, key, got[key], value, got)
			}
		}
		if err := verifier.Verify(record.Key, record.Value, got[signature.HeaderKeyID], []byte(got[signature.HeaderSignature])); err != nil || string(record.Key) != "adult" {
			t.Errorf("event %d: key %q, %v", i, record.Key, err)
		}
	}
	var step history.Released
	if err := json.Unmarshal(records[1].Value, &step); err != nil || step.Step != "promoted" || step.Number != 2 {
		t.Errorf("%s", records[1].Value)
	}
}

// TestEventsAreWrittenInBatches of bounded size, in order.
func TestEventsAreWrittenInBatches(t *testing.T) {
	large := alarms(0, 3)
	for i := range large {
		large[i].Decisions.Constraint = strings.Repeat("x", bytesAtOnce)
	}
	for name, c := range map[string]struct {
		all     []Announcement
		batches []int
	}{
		"none": {nil, nil}, "one": {alarms(0, 1), []int{1}}, "as many as fit": {alarms(0, 500), []int{500}}, "one more": {alarms(0, 501), []int{500, 1}}, "large": {large, []int{1, 1, 1}},
	} {
		world := clustertest.New(map[string]int{"history": 1, "events": 1})
		a := announcer(t, Events{Cluster: world, Name: "events", Job: "adult"}, nil, Announced{})
		var batches []int
		written := 0
		world.Inject = func(operation string) clustertest.Fault {
			if strings.HasPrefix(operation, "append events") {
				batches = append(batches, len(world.Topics["events"].Partitions[0].Records)-written)
				written = len(world.Topics["events"].Partitions[0].Records)
			}
			return clustertest.Fault{}
		}
		if err := a.Write(t.Context(), c.all); err != nil {
			t.Fatal(err)
		}
		if len(batches) > 0 { // each append shows what the one before wrote
			batches = append(batches[1:], len(world.Topics["events"].Partitions[0].Records)-written)
		}
		if !slices.Equal(batches, c.batches) || !slices.Equal(eventsOn(world), idsOf(c.all)) {
			t.Errorf("%s: batches %v, want %v", name, batches, c.batches)
		}
	}
}

// TestEventsOfAPartThatIsCutOff wait in the snapshot, the newest of them, until an owner whose part works writes them.
func TestEventsOfAPartThatIsCutOff(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1, "events": 1})
	r, _ := open(t, world, 1, Head{})
	events := Events{Cluster: world, Name: "events", Job: "adult", Part: isolate.New(PartEvents)}
	a := announcer(t, events, r, Announced{})
	if err := a.Tell(t.Context(), alarms(0, 2)); err != nil {
		t.Fatal(err)
	}
	events.Part.Cut("for a test")
	if err := a.Tell(t.Context(), alarms(2, 3)); err != nil {
		t.Fatal(err)
	}
	heartbeats(t, world, 4, "")
	if err := a.Ahead(t.Context(), alarms(5, 1)); err != nil {
		t.Fatal(err)
	}
	pending := alarms(5, 1)
	if saved := a.Saved(pending); saved.Offset != 2 || !slices.Equal(idsOf(saved.Unwritten), idsOf(alarms(2, 3))) || !slices.Equal(idsOf(saved.Pending), idsOf(pending)) {
		t.Errorf("%+v", saved)
	}
	if err := a.Tell(t.Context(), alarms(5, 1)); err != nil {
		t.Fatal(err)
	}
	saved := a.Saved(nil)
	if got := told(t, world); len(got) != 6 || saved.Offset != 2 || !slices.Equal(idsOf(saved.Unwritten), idsOf(alarms(2, 4))) {
		t.Errorf("told %q, %+v", got, saved)
	}
	events.Part = isolate.New(PartEvents)
	next := announcer(t, events, r, saved)
	if err := next.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := eventsOn(world)
	if want := append(idsOf(alarms(0, 2)), idsOf(alarms(2, 4))...); !slices.Equal(slices.Concat(ids[:2], ids[6:]), want) || len(next.Saved(nil).Unwritten) > 0 || next.Saved(nil).Offset != int64(len(ids)) {
		t.Errorf("events %q, then %+v", ids, next.Saved(nil))
	}
	events.Part.Cut("for a test")
	if err := next.Write(t.Context(), alarms(10, mostUnwritten+1)); err != nil {
		t.Fatal(err)
	}
	if saved := next.Saved(nil); len(saved.Unwritten) != mostUnwritten || saved.Unwritten[0].ID != "alarm/11" {
		t.Errorf("%d are kept, from %s on", len(saved.Unwritten), saved.Unwritten[0].ID)
	}
}

// TestAnnouncementsOfASnapshotAreToldOnce: in the history and on the topic of events, whatever the owner before had told.
func TestAnnouncementsOfASnapshotAreToldOnce(t *testing.T) {
	for _, written := range []int{0, 1, 2} {
		for _, offset := range []int64{0, -1, 1000} { // the last two are of another topic
			world := clustertest.New(map[string]int{"history": 1, "events": 1})
			r, _ := open(t, world, 1, Head{})
			events := Events{Cluster: world, Name: "events", Job: "adult"}
			pending, steps := alarms(0, 1), []Announcement{{ID: "step/1", Release: &history.Released{Number: 1, Step: "promoted"}}}
			all := slices.Concat(pending, steps)
			if err := announcer(t, events, r, Announced{}).Tell(t.Context(), all[:written]); err != nil {
				t.Fatal(err)
			}
			later, _ := open(t, world, 2, Head{})
			next := announcer(t, events, later, Announced{Pending: pending, Offset: offset}, steps...)
			if err := next.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			if ids := eventsOn(world); !slices.Equal(ids, idsOf(all)) || !slices.Equal(told(t, world), idsOf(all)) {
				t.Errorf("%d were written, offset %d: events %q, history %q", written, offset, ids, told(t, world))
			}
			if err := next.Write(t.Context(), all); err != nil || len(eventsOn(world)) != 4 {
				t.Errorf("an announcement that comes again later is told again: %q, %v", eventsOn(world), err)
			}
		}
	}
}

// TestWithoutATopicOfEvents announcements are in the history alone, and no other topic is asked for.
func TestWithoutATopicOfEvents(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1})
	r, _ := open(t, world, 1, Head{})
	a := announcer(t, Events{Cluster: world, Job: "adult"}, r, Announced{Pending: alarms(0, 1)})
	if err := a.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Ahead(t.Context(), alarms(1, 1)); err != nil {
		t.Fatal(err)
	}
	if got := told(t, world); !slices.Equal(got, []string{"alarm/0"}) || a.Saved(nil).Offset != 0 {
		t.Errorf("%q, %+v", got, a.Saved(nil))
	}
}

// TestEventsThatCannotBeWritten are an error, and so is a history that cannot be: then no event is written.
func TestEventsThatCannotBeWritten(t *testing.T) {
	for _, topic := range []string{"events", "history"} {
		world := clustertest.New(map[string]int{"history": 1, "events": 1})
		r, _ := open(t, world, 1, Head{})
		a := announcer(t, Events{Cluster: world, Name: "events", Job: "adult"}, r, Announced{Pending: alarms(0, 1)})
		world.Inject = func(operation string) clustertest.Fault {
			if strings.HasPrefix(operation, "append "+topic) {
				return clustertest.Fault{Err: clustertest.ErrFatal}
			}
			return clustertest.Fault{}
		}
		for name, write := range map[string]func() error{"Tell": func() error { return a.Tell(t.Context(), alarms(1, 1)) }, "CatchUp": func() error { return a.CatchUp(t.Context()) }} {
			if err := write(); err == nil || len(eventsOn(world)) > 0 || topic == "events" && !strings.Contains(err.Error(), "the events could not be written") {
				t.Errorf("%s, %s: %v; events %q", topic, name, err, eventsOn(world))
			}
		}
		world.Inject = nil
		if err := a.CatchUp(t.Context()); err != nil || len(eventsOn(world)) != 1 {
			t.Errorf("%s: what is owed is told later: %q, %v", topic, eventsOn(world), err)
		}
	}
	world := clustertest.New(map[string]int{"history": 1, "events": 1})
	world.Inject = func(operation string) clustertest.Fault {
		if operation == "bounds of events" {
			return clustertest.Fault{Err: clustertest.ErrFatal}
		}
		return clustertest.Fault{}
	}
	if _, err := (Events{Cluster: world, Name: "events", Job: "adult"}).Announcer(t.Context(), nil, Announced{}, nil); err == nil {
		t.Error("the end of the topic is not known, and the announcer began")
	}
}

// TestFinite: JSON has no number that is none.
func TestFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if Finite(x) != nil {
			t.Errorf("%v", x)
		}
	}
	if x := Finite(-.5); x == nil || *x != -.5 {
		t.Errorf("%v", x)
	}
}

// TestAnEventThatCannotBeWritten cuts the part off that makes events; it is kept among those that the topic lacks, and nothing is written.
func TestAnEventThatCannotBeWritten(t *testing.T) {
	world := clustertest.New(map[string]int{"history": 1, "events": 1})
	r, _ := open(t, world, 1, Head{})
	part := isolate.New(PartEvents)
	a := announcer(t, Events{Cluster: world, Name: "events", Job: "adult", Part: part}, r, Announced{})
	all := []Announcement{{ID: "good", Decisions: &history.Judged{Subject: "as_made", Number: 1}}, {ID: "bad", Decisions: &history.Judged{Subject: "as_made", Number: 2, Tau: math.NaN()}}}
	if err := a.Write(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	saved := a.Saved(nil)
	if len(saved.Unwritten) != 2 || saved.Unwritten[0].ID != "good" || saved.Unwritten[1].ID != "bad" || saved.Offset != 0 {
		t.Errorf("%+v", saved)
	}
	if records := world.Topics["events"].Partitions[0].Records; len(records) != 0 {
		t.Errorf("%d events were written", len(records))
	}
	if _, ok := isolate.Ask(part, func() bool { return true }); ok {
		t.Error("the part is not cut off")
	}
}
