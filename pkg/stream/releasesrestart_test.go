package stream

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestAStateThatBeginsAgainTellsOfTheOldStableVersion: readers stay with it, and a rollback says what helps.
func TestAStateThatBeginsAgainTellsOfTheOldStableVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		inStages(t, world, options, adultLines()[:2000])
		stable := machineOf(t, world, options).Aliases().Stable
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		options.Release.Deadline = 1_000_000
		options.Release.MinimumLabels = 1_000_000 // no version becomes stable
		b := inBackground(t, world, options)
		synctest.Wait()
		if u := b.Status().Unmoved; u == nil || u.Term != stable.Term || u.Version != stable.Version {
			t.Errorf("unmoved %+v, want %v", u, stable)
		}
		_, err := Ask(t.Context(), world, options, Request{Action: Rollback, Reason: "a test", Actor: "ada"}, Asking{Wait: time.Minute})
		if err == nil || !strings.Contains(err.Error(), "the alias stable points to version "+stable.String()) {
			t.Errorf("rollback: %v", err)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestReleasesAfterARestart: releases that are saved and restored, at any record, go on as if they had not been, bit for bit,
// whether the decoders decided or the learner did, and whatever panel the decoders knew.
func TestReleasesAfterARestart(t *testing.T) {
	options := testOptions().withDefaults()
	options.Model.Learner.Warmup, options.Release = 50, easily().WithDefaults()
	options.Release.Rate = 300
	t.Run("while the share changes", func(t *testing.T) { // after 1,000 records it falls to a quarter, and then rises to a half
		shares := map[float64]int{}
		at := func(i int) int64 { return int64(1 + i + 3*max(0, i-1000)) } // 1,000 a second, then 250
		whateverRestarts(t, options, adultLines()[:2500], at, func(r *release.Report) { shares[r.Share]++ })
		if shares[1] == 0 || shares[1]%1000 != 0 || shares[.25] == 0 || shares[.5] == 0 {
			t.Errorf("records by share: %v", shares)
		}
	})
	drift := driftingOptions().withDefaults()
	drift.Release.AlarmRunLength = 1e12
	t.Run("while an inquiry begins without a step", func(t *testing.T) {
		var silent int
		var before *release.Report
		whateverRestarts(t, drift, drifting(1000, 800, 700), func(i int) int64 { return int64(i) }, func(r *release.Report) {
			if before != nil && before.Guard != nil && r.Steps == before.Steps && r.Guard.Inquiry && !before.Guard.Inquiry {
				silent++
			}
			before = r
		})
		if silent == 0 {
			t.Error("no inquiry began without a step")
		}
	})
}

// whateverRestarts learns lines with and without restarts, and compares the states of the releases. at are the timestamps of the records, and see is shown a report
// behind each.
func whateverRestarts(t *testing.T, options Options, lines []string, at func(i int) int64, see func(*release.Report)) {
	t.Helper()
	schema, err := options.schema()
	if err != nil {
		t.Fatal(err)
	}
	const ahead = 20 // records that are decoded while others are learnt
	after := func(late bool, restarts ...int) []byte {
		l := newLearning(New(newWorld(1), options))
		if err := New(newWorld(1), options).restore(l, nil); err != nil {
			t.Fatal(err)
		}
		decoder, decoders := schema.NewDecoder(), jury{}
		var panels []*panel // by record, as a decoder knows them
		for i, line := range lines {
			if slices.Contains(restarts, i) {
				_, section := l.releases.take()
				learner, err := options.restoreDecider(l.learner.AppendState(nil))
				if err != nil {
					t.Fatal(err)
				}
				restored, err := restoreReleases(&options, learner, section)
				if err != nil {
					t.Fatal(err)
				}
				restored.documents = l.releases.documents
				l.learner, l.releases = learner, restored
			}
			e := entry{source: &kafka.Record{}}
			e.source.Offset, e.source.Timestamp = int64(i), at(i)
			if err := decoder.DecodeJSON(&e.record, []byte(line)); err != nil {
				t.Fatal(err)
			}
			p := &parcel{}
			l.learner.take(&e.record, &p.sight(&e).made)
			panels = append(panels, l.releases.current())
			decidedBy := panels[i]
			if late {
				decidedBy = panels[max(0, i-ahead)]
			}
			if decidedBy != nil && decidedBy.samples(0, e.source, &e.record) {
				decoders.follow(decidedBy)
				e.decided = decoders.decide(nil, &e.record)
			}
			p.panel = decidedBy
			l.see(p)
			l.releaseParcel(p, 0)
			if i%150 == 149 {
				d, err := l.document()
				if err != nil {
					t.Fatal(err)
				}
				l.offer(d)
				l.releases.take()
			}
			see(l.releases.report())
		}
		if l.releases.machine.Aliases().Previous.IsZero() {
			t.Error("too little was promoted for a test")
		}
		_, section := l.releases.take()
		return section
	}
	want := after(false)
	if !bytes.Equal(after(true), want) {
		t.Error("decided by the panel of earlier records: the state is another")
	}
	for _, restarts := range [][]int{{1}, {149}, {700}, {150, 151, 1000, 2000}} {
		if !bytes.Equal(after(false, restarts...), want) {
			t.Errorf("restarted before the records %v: the state is another", restarts)
		}
	}
}

// TestStepsAreSavedSoon: a step is on the topic within two seconds of a quiet stream, without a publication or a snapshot that is due.
func TestStepsAreSavedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.Snapshot, options.Publish = Cadence{Records: 1 << 30}, Cadence{Records: 1000}
		b := inBackground(t, world, options)
		for chunk := range slices.Chunk(adultLines()[:1900], 50) { // one publication, and evidence behind it
			world.Put(testTopics.Input, 0, chunk...)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		saved := machineOf(t, world, options).Aliases()
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if saved.Stable.IsZero() || saved.Stable.Version != 1000 {
			t.Errorf("saved while it ran: %+v; at its end: %+v", saved, machineOf(t, world, options).Aliases())
		}
	})
}
