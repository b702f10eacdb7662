package chronicle

import (
	"fmt"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/history"
)

// TestChangesOfAConfiguration are kept over restarts, the newest of them, with the number of records that were learnt before.
func TestChangesOfAConfiguration(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	whole := func(tau int) Configuration {
		return Configuration{Whole: fmt.Appendf(nil, `{"record":{"label":"income"},"tau":%d}`, tau)}
	}
	now := whole(0)
	for tau := 1; tau <= changesKept+2; tau++ {
		next := whole(tau)
		changes, err := next.Follow(now, at, int64(100*tau))
		if err != nil || len(changes) != 1 || changes[0].Key != "tau" || len(next.Changes) != min(tau, changesKept) {
			t.Fatalf("change %d: %v, %d kept, %v", tau, changes, len(next.Changes), err)
		}
		last := next.Changes[len(next.Changes)-1]
		if last.Key != "tau" || string(last.Old) != fmt.Sprint(tau-1) || string(last.New) != fmt.Sprint(tau) || !last.Time.Equal(at) || last.Version != int64(100*tau) {
			t.Fatalf("change %d: %+v", tau, last)
		}
		now = next
	}
	if string(now.Changes[0].New) != "3" {
		t.Errorf("the oldest that is kept: %+v", now.Changes[0])
	}
	same := whole(changesKept + 2)
	if changes, err := same.Follow(now, at, 1); err != nil || len(changes) > 0 || len(same.Changes) != changesKept {
		t.Errorf("nothing changed: %v, %v", changes, err)
	}
	if _, err := same.Follow(Configuration{Whole: []byte("{")}, at, 1); err == nil {
		t.Error("a damaged configuration passed")
	}
	if now.Sum() != history.Sum(now.Whole) || now.Sum() == whole(0).Sum() {
		t.Error("config_sha256 is another")
	}
}

// TestReadsOtherwise: what is below the section record decides how a record is read, and no other key does.
func TestReadsOtherwise(t *testing.T) {
	before := Configuration{Whole: []byte(`{"record":{"label":"income"},"recorder":1}`)}
	for text, want := range map[string]bool{
		`{"record":{"label":"income"},"recorder":1}`: false,
		`{"record":{"label":"income"},"recorder":2}`: false,
		`{"record":{"label":"rich"},"recorder":1}`:   true,
		`{`: true,
	} {
		if got := (Configuration{Whole: []byte(text)}).ReadsOtherwise(before); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestTheEntryOfAConfiguration has one ID for an owner and its place, whatever it tells.
func TestTheEntryOfAConfiguration(t *testing.T) {
	c := Configuration{Whole: []byte("{}")}
	changes := []history.Change{{Key: "tau"}}
	e := c.Configured(changes, "host-1", 7, 500)
	if e.ID != "configuration/host-1/7" || e.Kind != history.Configuration || e.Configuration.Version != 500 || len(e.Configuration.Changes) != 1 || string(e.Configuration.Whole) != "{}" {
		t.Errorf("%+v", e)
	}
}
