package observe

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

var adultLines = sync.OnceValue(func() []string {
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		panic(err)
	}
	lines := make([]string, 0, adult.Records)
	for {
		err := reader.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(reader.AppendJSON(nil)))
	}
})

// adultSettings are of a learner of the bundled records, whose versions are released easily.
func adultSettings() *Settings {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus = model.Values("Male"), model.Values("Female")
	constraint.Criterion, constraint.Tau = fairness.DemographicParity, .05
	c := model.Config{
		Record:      record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Ignore: []string{"fnlwgt"}},
		Learner:     model.DefaultLearner(),
		Constraints: []model.Constraint{constraint},
	}
	c.Learner.Warmup = 50
	return &Settings{Model: c.WithDefaults(), Monitoring: DefaultMonitoring(), Release: release.Config{}.WithDefaults(), Notify: func(Changed) {}}
}

// begun is an observer of a learner that has learnt nothing.
func begun(t *testing.T, o *Settings) (*Observer, Decider, *record.Schema) {
	t.Helper()
	learner, err := NewDecider(o.Model, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(o, learner, Saved{})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := o.Model.Schema()
	if err != nil {
		t.Fatal(err)
	}
	return w, learner, schema
}

// TestReleasesDoNotAllocate: neither for a record that the decoders decided nor for one that the learner decides, nor for a
// label that comes later.
func TestReleasesDoNotAllocate(t *testing.T) {
	w, learner, schema := begun(t, adultSettings())
	lines := adultLines()[:2000]
	entries := make([]Entry, len(lines))
	for i := range entries {
		e := &entries[i]
		e.Source = &kafka.Record{}
		if err := schema.NewDecoder().DecodeJSON(&e.Record, []byte(lines[i])); err != nil {
			t.Fatal(err)
		}
		learner.Take(&Sight{Record: &e.Record})
	}
	offer(t, w)
	w.releases.take(0)
	var decoders Jury
	decoders.follow(w.releases.current())
	at, s, waits := 0, &Sight{}, Waiting{}
	step := func() {
		e := &entries[at%len(entries)]
		at++
		e.decided = decoders.decide(e.decided, &e.Record)
		e.Record.HasLabel = at%3 > 0
		*s = Sight{Entry: e, Record: &e.Record, Number: int64(at), Made: Made{Levels: learner.Levels(&e.Record)}}
		w.releases.observe(0, s, []*Panel{nil, w.releases.panel}[at%2])
		if e.Record.HasLabel = true; at%3 == 0 {
			waits.Number, s.Waits = s.Number, &waits
			w.releases.label(s)
		}
	}
	for range 2 * len(entries) {
		step()
	}
	w.releases.take(int64(at))
	if n := testing.AllocsPerRun(500, step); n > 0 || w.releases.machine.HasSteps() {
		t.Errorf("%v allocations", n)
	}
}

// TestLabelsOfMissedRecordsDoNotCount: records that came while the releases were cut off, and were learnt by then.
func TestLabelsOfMissedRecordsDoNotCount(t *testing.T) {
	settings := adultSettings()
	w, learner, schema := begun(t, settings)
	e := &Entry{Source: &kafka.Record{}}
	for _, line := range adultLines()[:500] {
		if err := schema.NewDecoder().DecodeJSON(&e.Record, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Take(&Sight{Record: &e.Record})
	}
	offer(t, w)
	readers := w.releases.readers
	_, section := w.releases.take(500)
	for _, test := range []struct{ records, number, labelled int64 }{{500, 501, 1}, {600, 550, 0}, {600, 600, 0}, {600, 601, 1}} {
		r, err := restoreReleases(settings, learner, section, test.records)
		if err != nil {
			t.Fatal(err)
		}
		r.readers = readers
		s := &Sight{Entry: e, Record: &e.Record, Waits: &Waiting{Number: test.number}, Made: Made{Levels: learner.Levels(&e.Record)}}
		if r.label(s); r.report().Trial.Labelled != test.labelled {
			t.Errorf("the releases are of record 500, the snapshot of %d: %d labels of record %d count, want %d", test.records, r.report().Trial.Labelled, test.number, test.labelled)
		}
	}
}

// offer has a document made of what is learnt, and offers it.
func offer(t *testing.T, w *Observer) {
	t.Helper()
	d, err := w.Draft()
	if err == nil {
		err = d.Make()
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Offer(d)
}

// TestDecodersDecideByThePanelOfTheMoment: before a version is offered, by the one on trial, and by none once the releases are cut off.
func TestDecodersDecideByThePanelOfTheMoment(t *testing.T) {
	o := adultSettings()
	w, learner, _ := begun(t, o)
	records := decoded(t, o, 301)
	for i := range records[:300] {
		learner.Take(&Sight{Record: &records[i]})
	}
	juries, jury := w.Juries(false), Jury{}
	decide := func() int {
		b := &Batch{Entries: []Entry{{Source: &kafka.Record{}, Record: records[300]}}, Count: 1}
		juries.Decide(b, &jury, 0)
		if b.panel != juries.panel.Load() {
			t.Errorf("%p and %p", b.panel, juries.panel.Load())
		}
		return len(b.Entries[0].decided)
	}
	if n := decide(); n != 0 {
		t.Errorf("%d decisions before a version is offered", n)
	}
	offer(t, w)
	if by := w.releases.current(); by == nil || by != juries.panel.Load() || decide() != len(by.members) || len(by.members) == 0 {
		t.Errorf("the releases have %p, and the decoders %p with %d decisions", by, juries.panel.Load(), decide())
	}
	w.releasing.Cut("for a test")
	b := &Batch{Entries: []Entry{{Source: &kafka.Record{}, Record: records[300]}}, Count: 1}
	if juries.Decide(b, &jury, 0); len(b.Entries[0].decided) != 0 {
		t.Error("the decoders decide for releases that are cut off")
	}
}

// TestADocumentThatDecidesOtherwiseIsRejected: the learner and its document must give the same margins, bit for bit.
func TestADocumentThatDecidesOtherwiseIsRejected(t *testing.T) {
	w, learner, schema := begun(t, adultSettings())
	var one record.Record
	for _, line := range adultLines()[:500] {
		if err := schema.NewDecoder().DecodeJSON(&one, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Take(&Sight{Record: &one})
	}
	d, err := w.Draft()
	if err != nil {
		t.Fatal(err)
	}
	d.golden.margins[3] = math.Nextafter(d.golden.margins[3], 10)
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	w.Offer(d)
	made, _ := w.releases.take(500)
	if len(made.Steps) != 1 || made.Steps[0].Kind != release.Rejected || made.Steps[0].Gates[0].Name != release.GateIntegrity || !strings.HasPrefix(made.Steps[0].Gates[0].Reason, fmt.Sprintf("1 of %d sample records get another score", goldenRecords)) {
		t.Errorf("%+v", made.Steps)
	}
	offer(t, w)
	if made, _ = w.releases.take(500); len(made.Steps) != 1 {
		t.Errorf("%+v", made.Steps)
	}
}

// TestReleasesAreToldWhatALabelStandsFor: half of the records have a label, and one that had it with a probability of 0.02 stands for 25 of these.
func TestReleasesAreToldWhatALabelStandsFor(t *testing.T) {
	o := adultSettings()
	o.Model.Record.Unlabelled, o.Model.Record.Propensity = record.Count, "propensity"
	w, learner, schema := begun(t, o)
	for i, line := range adultLines()[:2001] {
		e := &Entry{Source: &kafka.Record{}}
		if err := schema.NewDecoder().DecodeJSON(&e.Record, []byte(line)); err != nil {
			t.Fatal(err)
		}
		if i > 100 && i%2 == 1 {
			e.Record.HasLabel, e.Record.Positive = false, false
		}
		want := 1.
		switch {
		case i == 2000:
			e.Record.Propensity, want = .02, 25
		case !e.Record.HasLabel || i < o.Model.Learner.Warmup:
			want = 0
		}
		s := &Sight{Entry: e, Record: &e.Record}
		learner.Take(s)
		w.releases.fill(int64(i)+1, &e.Record, s, e.Record.Time)
		if got := w.releases.record.Weight; math.Abs(got-want) > .05*want+1e-9 {
			t.Fatalf("record %d stands for %v, want %v", i, got, want)
		}
	}
}
