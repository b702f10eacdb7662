package observe

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// drifting are records of which the second field says more and more: at first nothing, then what the label is, and in the
// end the group as well. Versions that learnt the second field treat the groups alike until then, and not any more.
func drifting(first, second, third int) []string {
	random := rand.New(rand.NewPCG(16, 4))
	var lines []string
	for i := range first + second + third {
		group, x, z, likely := "b", "lo", "n", .2
		if random.Float64() < .5 {
			group = "a"
		}
		if random.Float64() < .5 {
			x, likely = "hi", .7
		}
		if i >= first {
			if i < first+second && random.Float64() < .5 || i >= first+second && group == "a" {
				z, likely = "y", .97
			} else {
				likely = .03
			}
		}
		label := 0
		if random.Float64() < likely {
			label = 1
		}
		lines = append(lines, fmt.Sprintf(`{"group":%q,"x":%q,"z":%q,"label":%d}`, group, x, z, label))
	}
	return lines
}

func driftingSettings() *Settings {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "group", model.OneOrMore{"group"}
	constraint.Group, constraint.Versus, constraint.Enforce = model.Values("a"), model.Values("b"), new(bool)
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	o := adultSettings()
	o.Model = model.Config{Record: record.Config{Label: record.Label{Field: "label", Positive: "1"}}, Learner: o.Model.Learner, Constraints: []model.Constraint{constraint}}.WithDefaults()
	o.Release = release.Config{Limit: .3, Delta: .9, MinimumRecords: 10, MinimumLabels: 100, CoolDown: 1, RunLength: 1000, AlarmRunLength: 1e12, Measured: true}.WithDefaults()
	return o
}

// TestReleasesAfterARestart: releases that are saved and restored, at any record, go on as if they had not been, bit for bit,
// whether the decoders decided or the learner did, and whatever panel the decoders knew.
func TestReleasesAfterARestart(t *testing.T) {
	options := adultSettings()
	options.Release = release.Config{Limit: .95, Delta: .9, MinimumRecords: 10, MinimumLabels: 100, CoolDown: 1, Rate: 300}.WithDefaults()
	t.Run("while the share changes", func(t *testing.T) { // after 1,000 records it falls to a quarter, and then rises to a half
		shares := map[float64]int{}
		at := func(i int) int64 { return int64(1 + i + 3*max(0, i-1000)) } // 1,000 a second, then 250
		whateverRestarts(t, options, adultLines()[:2500], at, func(r *release.Report) { shares[r.Share]++ })
		if shares[1] == 0 || shares[1]%1000 != 0 || shares[.25] == 0 || shares[.5] == 0 {
			t.Errorf("records by share: %v", shares)
		}
	})
	drift := driftingSettings()
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
func whateverRestarts(t *testing.T, options *Settings, lines []string, at func(i int) int64, see func(*release.Report)) {
	t.Helper()
	const ahead = 20 // records that are decoded while others are learnt
	after := func(late bool, restarts ...int) []byte {
		w, learner, schema := begun(t, options)
		decoder, decoders := schema.NewDecoder(), Jury{}
		var panels []*Panel // by record, as a decoder knows them
		for i, line := range lines {
			if slices.Contains(restarts, i) {
				saved := w.Take(int64(i)).Saved
				saved.Records = int64(i)
				readers := w.releases.readers
				var err error
				if learner, err = RestoreDecider(options.Model, Given{}, bytes.Join(learner.Hold()(), nil)); err != nil {
					t.Fatal(err)
				}
				if w, err = New(options, learner, saved); err != nil || !w.releasing.Works() {
					t.Fatal(err, w.releasing.Stopped())
				}
				w.releases.readers = readers
			}
			b := &Batch{Entries: []Entry{{Source: &kafka.Record{}}}, Count: 1}
			e := &b.Entries[0]
			e.Source.Offset, e.Source.Timestamp = int64(i), at(i)
			if err := decoder.DecodeJSON(&e.Record, []byte(line)); err != nil {
				t.Fatal(err)
			}
			s := b.Sight(e)
			s.Number = int64(i) + 1
			learner.Take(s)
			panels = append(panels, w.releases.current())
			decidedBy := panels[i]
			if late {
				decidedBy = panels[max(0, i-ahead)]
			}
			b.Decide(decidedBy, &decoders, 0)
			w.See(b)
			w.release(b, 0)
			if i%150 == 149 {
				offer(t, w)
				w.releases.take(int64(i) + 1)
			}
			see(w.releases.report())
		}
		if w.releases.machine.Aliases().Previous.IsZero() {
			t.Error("too little was promoted for a test")
		}
		_, section := w.releases.take(int64(len(lines)))
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
