package observe

import (
	"bytes"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/release"
)

// One record of each person counts for the gates of a candidate, also after a restart: with copies the releases know what they know without.
func TestReleasesObserveAPersonOnce(t *testing.T) {
	settings := adultSettings()
	settings.Monitoring.Cluster = "person"
	w, learner, schema := begun(t, settings)
	lines := adultLines()[:600]
	entries := make([]Entry, len(lines))
	for i := range entries {
		e := &entries[i]
		e.Source = &kafka.Record{}
		if err := schema.NewDecoder().DecodeJSON(&e.Record, []byte(lines[i])); err != nil {
			t.Fatal(err)
		}
		e.Record.Cluster = []byte(lines[i])
		learner.Take(&Sight{Record: &e.Record})
	}
	offer(t, w)
	observed, number := 0, int64(0)
	for i := range entries {
		for copied := range 5 {
			before := w.releases.report().Trial.Observed
			number++
			w.releases.observe(0, &Sight{Entry: &entries[i], Record: &entries[i].Record, Number: number, Made: Made{Levels: learner.Levels(&entries[i].Record)}}, nil)
			if more := w.releases.report().Trial.Observed - before; more > 0 != (copied == 0) {
				t.Fatalf("copy %d of record %d is observed %d times", copied, i, more)
			} else if more > 0 {
				observed++
			}
		}
		if i == 300 {
			_, section := w.releases.take(number)
			met := w.releases.persons.AppendState(nil)
			restored, err := restoreReleases(settings, learner, section, number)
			if err != nil {
				t.Fatal(err)
			}
			restored.readers = w.releases.readers
			w.releases = restored
			w.releases.take(number)
			if again, _ := restoreReleases(settings, learner, sectionOf(w.releases, number), number); !bytes.Equal(again.persons.AppendState(nil), restored.persons.AppendState(nil)) {
				t.Error("a restart forgets persons")
			}
			if len(met) == 0 || !bytes.Equal(restored.persons.AppendState(nil), met) {
				t.Errorf("a section holds other persons than %d bytes of them", len(met))
			}
		}
	}
	if report := w.releases.report(); observed != len(entries) || report == nil {
		t.Errorf("%d records are observed", observed)
	}
	w.releases.take(number)
	section := sectionOf(w.releases, number)
	settings.Monitoring.Cluster = ""
	restored, err := restoreReleases(settings, learner, section, number)
	if err != nil {
		t.Fatal(err)
	}
	if made, _ := restored.take(number); !slices.ContainsFunc(made.Steps, func(s release.Step) bool { return s.Kind == release.Restarted }) {
		t.Errorf("without the key, the evidence goes on: %+v", made.Steps)
	}
}

func sectionOf(r *releases, records int64) []byte {
	_, section := r.take(records)
	return section
}

// TestALabelOfAPersonCountsOnce, also where it comes later, and one without a person counts each time.
func TestALabelOfAPersonCountsOnce(t *testing.T) {
	settings := adultSettings()
	settings.Monitoring.Cluster = "person"
	w, learner, schema := begun(t, settings)
	e := &Entry{Source: &kafka.Record{}}
	for _, line := range adultLines()[:500] {
		if err := schema.NewDecoder().DecodeJSON(&e.Record, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Take(&Sight{Record: &e.Record})
	}
	offer(t, w)
	number := int64(500)
	label := func(person string) int64 {
		number++
		r := e.Record
		if r.Cluster = nil; person != "" {
			r.Cluster = []byte(person)
		}
		r.HasLabel = true
		w.releases.label(&Sight{Entry: e, Record: &r, Waits: &Waiting{Number: number}, Made: Made{Levels: learner.Levels(&r)}})
		return w.releases.report().Trial.Labelled
	}
	for i, c := range []struct {
		person string
		want   int64
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"", 3}, {"", 4}, {"a", 4}} {
		if got := label(c.person); got != c.want {
			t.Errorf("after label %d, of %q: %d labels count, want %d", i, c.person, got, c.want)
		}
	}
}
