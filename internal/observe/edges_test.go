package observe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// decoded are the first records, as a job decodes them.
func decoded(t *testing.T, o *Settings, n int) []record.Record {
	t.Helper()
	schema, err := o.Model.Schema()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]record.Record, n)
	for i, line := range adultLines()[:n] {
		if err := schema.NewDecoder().DecodeJSON(&all[i], []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestALearnerAsADecider does what the learner does: with a record whose label comes later, with that label, and with one that has no label.
func TestALearnerAsADecider(t *testing.T) {
	o := adultSettings()
	for _, counts := range []bool{false, true} {
		var learners [2]*model.Learner
		for i := range learners {
			var err error
			if learners[i], err = model.New(o.Model); err != nil {
				t.Fatal(err)
			}
		}
		of, plain := ours{learners[0], counts}, learners[1]
		records := decoded(t, o, 300)
		for i := range records {
			r, number := &records[i], int64(i+1)
			waits := *r
			waits.HasLabel = false
			var want, later Made
			if counts {
				want.set(plain.Count(&waits, number))
			} else {
				want.set(plain.Meet(&waits))
			}
			if want.decide(); want.Known {
				want.Levels = plain.LastLevels()
			}
			s := &Sight{Record: &waits, Number: number}
			of.Await(s)
			if got := s.Made; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("counts %v, record %d waits: %+v, want %+v", counts, i, got, want)
			}
			s = &Sight{Record: r, Number: number, Waits: &Waiting{Number: number}}
			if counts {
				later.set(plain.LearnLate(r, number))
			} else {
				later.set(plain.LearnAt(r, nil))
			}
			if later.Known {
				later.Levels = plain.LastLevels()
			}
			of.Take(s)
			if got := s.Made; fmt.Sprint(got) != fmt.Sprint(later) {
				t.Fatalf("counts %v, label %d: %+v, want %+v", counts, i, got, later)
			}
		}
		if of.Version() != plain.Version() || of.Labelled() != plain.Labelled() || of.Labelled() != int64(len(records)) {
			t.Errorf("counts %v: version %d and %d, labelled %d and %d", counts, of.Version(), plain.Version(), of.Labelled(), plain.Labelled())
		}
	}
}

// TestSightsOfABatch: one that contributes nothing is not kept, unless it is a label of a record that waited; of the others levels are kept beside the batch.
func TestSightsOfABatch(t *testing.T) {
	w, learner, _ := begun(t, adultSettings())
	records := decoded(t, adultSettings(), 1)
	for _, c := range []struct {
		weight float64
		waits  *Waiting
		kept   int
	}{{0, nil, 0}, {-1, nil, 0}, {.5, nil, 1}, {0, &Waiting{Known: true}, 1}} {
		b := &Batch{Entries: make([]Entry, 1), Count: 1}
		r := records[0]
		r.Weight = c.weight
		s := b.Sight(&b.Entries[0])
		s.Record, s.Waits = &r, c.waits
		levels := []fairness.Level{7}
		s.Levels = levels
		if w.See(b); len(b.sights) != c.kept {
			t.Errorf("%+v: %d are kept", c, len(b.sights))
			continue
		}
		if levels[0] = 9; c.kept > 0 && (len(b.sights[0].Levels) != 1 || b.sights[0].Levels[0] == 9) {
			t.Errorf("%+v: the levels %v are those of somebody else", c, b.sights[0].Levels)
		}
		b.sights = b.sights[:0]
		s = b.Sight(&b.Entries[0])
		s.Record, s.Levels = &records[0], nil
		if w.See(b); fmt.Sprint(b.sights[0].Levels) != fmt.Sprint(learner.Levels(&records[0])) {
			t.Errorf("levels %v", b.sights[0].Levels)
		}
	}
	ended, did := "", false
	end := func(held bool) { ended += fmt.Sprint(held, " ") }
	w.Pass(&Batch{}, 0, end)
	post(nil, false, func() { did = true }, end)
	if ended != "false false " || did {
		t.Errorf("what has nothing to do ends %q, did %v", ended, did)
	}
	if post(nil, true, func() { did = true }, end); ended != "false false false " || !did {
		t.Errorf("without a part, it ends %q, did %v", ended, did)
	}
}

// TestWhatWasPassedIsObserved once it is settled: decisions and labels that come later, by the monitor and by the releases.
func TestWhatWasPassedIsObserved(t *testing.T) {
	o := adultSettings()
	j := newJob(t, o)
	j.learn(300)
	j.publish()
	records := decoded(t, o, 310)
	before := j.Report()
	b := &Batch{Entries: make([]Entry, 10), Count: 10}
	for i := range b.Entries {
		e := &b.Entries[i]
		e.Source, e.Record = &kafka.Record{Offset: int64(300 + i)}, records[300+i]
		s := b.Sight(e)
		s.Number = int64(301 + i)
		if i%2 > 0 {
			waited := records[300+i]
			s.Record, s.Waits, s.Weight = &waited, &Waiting{Number: s.Number, Known: true, Score: .5}, 1
		}
		s.Made = Made{Known: true, Score: .5}
		j.See(b)
	}
	j.Pass(b, 0, func(bool) {})
	j.Settle()
	after := j.Report()
	if got := after.Monitored[0].Report.Records - before.Monitored[0].Report.Records; got != 5 {
		t.Errorf("the monitor observed %d decisions", got)
	}
	if got := after.Monitored[0].Report.Labelled - before.Monitored[0].Report.Labelled; got != 10 {
		t.Errorf("the monitor observed %d labels", got)
	}
	if after.Releases.Trial == nil || before.Releases.Trial == nil {
		t.Fatalf("%+v", after.Releases)
	}
	if seen, labelled := after.Releases.Trial.Observed-before.Releases.Trial.Observed, after.Releases.Trial.Labelled-before.Releases.Trial.Labelled; seen != 5 || labelled != 10 {
		t.Errorf("the releases observed %d records and %d labels", seen, labelled)
	}
}

// faulty is a decider with a defect: it panics where the configuration is asked for, or its comparisons have changed.
type faulty struct {
	Decider
	panics, changed bool
}

func (f faulty) Config() model.Config {
	if f.panics {
		panic("a defect")
	}
	return f.Decider.Config()
}

func (f faulty) Changed() bool { return f.changed }

// diverged is a decider whose weights are no numbers any more.
type diverged struct{ Decider }

var errDiverged = errors.New("the weights have diverged")

func (diverged) Draft() (*model.Draft, error) { return nil, errDiverged }

// TestNothingIsDraftedOfWeightsThatDiverged: whoever asks is told why.
func TestNothingIsDraftedOfWeightsThatDiverged(t *testing.T) {
	w, learner, _ := begun(t, adultSettings())
	w.decider = diverged{learner}
	if d, err := w.Draft(); d != nil || !errors.Is(err, errDiverged) {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestWhatIsCutOffIsTold by name, once, whether it is cut off before somebody listens or later. The decisions of others are monitored without a part that could be cut off.
func TestWhatIsCutOffIsTold(t *testing.T) {
	for _, before := range []bool{false, true} {
		for _, c := range []struct {
			settings *Settings
			want     map[string]int
		}{{adultSettings(), map[string]int{PartReleases: 1, PartMonitor: 1}}, {theirSettings(), map[string]int{PartReleases: 1}}} {
			w, learner, _ := begun(t, c.settings)
			cut := func() {
				w.releasing.Cut("for a test")
				if learner.Learns() {
					w.monitoring.Cut("for a test")
				}
			}
			if before {
				cut()
			}
			told := map[string]int{}
			w.Begin(7, func(s isolate.Stopped) { told[s.Part]++ })
			if w.witnesses.origin != 7 { // it is part of what is announced
				t.Errorf("the state began in term %d", w.witnesses.origin)
			}
			cut()
			if !maps.Equal(told, c.want) {
				t.Errorf("learns: %v, cut off before: %v: told of %v", learner.Learns(), before, told)
			}
		}
	}
}

// TestSectionsAreChecked as the next start would restore them: a defect there is a problem of each part, which is named with the key that helps.
func TestSectionsAreChecked(t *testing.T) {
	o := adultSettings()
	_, learner, _ := begun(t, o)
	problems := Check(o, faulty{learner, true, false}, Saved{})
	if len(problems) != 2 || problems[0].Key != "monitor.enabled" || problems[1].Key != "release.enabled" || problems[0].Err.Error() != "it panics: a defect" || problems[1].Err.Error() != "it panics: a defect" {
		t.Errorf("%+v", problems)
	}
	w, err := restoreWitnesses(o, faulty{learner, false, true}, []byte{0xff})
	if err != nil || !w.again || len(w.all) != 1 {
		t.Errorf("comparisons that changed begin again: %+v, %v", w, err)
	}
	for name, section := range map[string][]byte{"short": {0xff}, "no header": envelope.AppendSection(nil, []byte("no JSON")), "no machine": envelope.AppendSection(nil, []byte("{}"))} {
		if _, err := restoreReleases(o, learner, section, 0); err == nil {
			t.Errorf("%s: a damaged section is restored", name)
		}
	}
	once := envelope.AppendSection(envelope.AppendSection(binary.AppendUvarint(nil, 0), []byte(onceSection)), []byte("no section"))
	if _, err := restoreWitnesses(o, learner, once); err == nil {
		t.Error("identifiers that cannot be read are restored")
	}
	no := false
	o.Release.Enabled = &no
	for section, rests := range map[string]bool{"": false, "x": true} {
		if r, err := restoreReleases(o, learner, []byte(section), 0); err != nil || (r != nil) != rests || rests && string(r.resting) != section {
			t.Errorf("while releases are off, %q: %+v, %v", section, r, err)
		}
	}
	o = adultSettings()
	o.Release.Delta = 7
	if _, err := New(o, learner, Saved{}); err == nil || !strings.HasPrefix(err.Error(), "observe: ") {
		t.Errorf("settings of releases that are wrong: %v", err)
	}
	o = adultSettings()
	o.Monitoring.Confidence = 7
	if _, err := New(o, learner, Saved{}); err == nil {
		t.Error("settings of a monitor that are wrong")
	}
	for length, good := range map[float64]bool{.99: false, 1: true, 1e15: true, 1.01e15: false} {
		m := DefaultMonitoring()
		m.RunLength = length
		if problems := m.Validate(); (len(problems) == 0) != good {
			t.Errorf("a run length of %v: %v", length, problems)
		}
	}
}

// TestPersonsOfASection: one that was made without persons goes on where they are told apart.
func TestPersonsOfASection(t *testing.T) {
	o := adultSettings()
	w, learner, _ := begun(t, o)
	_, section := w.releases.take(0)
	o.Monitoring.Cluster = "person"
	r, err := restoreReleases(o, learner, section, 0)
	if err != nil || !r.persons.Meet(1) {
		t.Errorf("%v", err)
	}
}

// TestAStateOfOthers that belongs to a learner, is of another format, or of less than no decision is refused; so are settings that are wrong.
func TestAStateOfOthers(t *testing.T) {
	o := theirSettings()
	for state, good := range map[string]bool{`{"format":1,"version":0}`: true, `{"format":1,"version":7}`: true, `{"format":1,"version":-1}`: false, `{"format":2,"version":7}`: false, "learner": false} {
		d, err := restoreTheirs(o.Model, o.Monitoring.Given, []byte(state))
		if (err == nil) != good || !good && !errors.Is(err, errNoDecisions) || good && d.Version() != int64(strings.Count(state, "7")*7) {
			t.Errorf("%s: %v", state, err)
		}
	}
	c := o.Model
	c.Constraints = append(c.Constraints, c.Constraints[0])
	if _, err := restoreTheirs(c, o.Monitoring.Given, []byte(`{"format":1}`)); err == nil || errors.Is(err, errNoDecisions) {
		t.Errorf("two comparisons of one name: %v", err)
	}
	if _, err := RestoreDecider(adultSettings().Model, Given{}, []byte("damaged")); err == nil {
		t.Error("a damaged learner is restored")
	}
}

// TestDocumentsThatCannotDecide: one that cannot be read back has a problem, with which the machine rejects it; an error of the topic is not one of the document.
func TestDocumentsThatCannotDecide(t *testing.T) {
	w, learner, _ := begun(t, adultSettings())
	records := decoded(t, adultSettings(), 300)
	for i := range records {
		learner.Take(&Sight{Record: &records[i]})
	}
	d, err := w.Draft()
	if err != nil || d.Make() != nil {
		t.Fatal(err)
	}
	version, away := release.Version{Term: 1, Version: 2}, errors.New("away")
	damaged := *d.Document
	damaged.Model = []byte(`{"kind":"unheard of"}`)
	for name, doc := range map[string]*document.Document{"nothing in it": {}, "of another kind": &damaged} {
		if found := try(version, doc, goldens{}); found.problem == nil {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if _, err := newMember(version, &damaged); err == nil || !strings.HasPrefix(err.Error(), "observe: the document of version ") {
		t.Errorf("%v", err)
	}
	if m, err := newMember(version, nil); err != nil || m.classifier != nil || m.regressor != nil || m.version != version {
		t.Errorf("%+v, %v", m, err)
	}
	for name, c := range map[string]struct {
		doc  *document.Document
		err  error
		want error
		use  bool
	}{"none": {}, "away": {d.Document, away, away, false}, "damaged": {doc: &damaged}, "good": {doc: d.Document, use: true}} {
		m, err := usable(version, c.doc, c.err)
		if !errors.Is(err, c.want) || (m != nil) != c.use || c.use && (m.version.SHA256 != d.Document.WeightsSHA256 || m.version.Term != 1) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	d.tried = &tried{problem: errors.New("it cannot be read")}
	w.Offer(d)
	if steps, _ := w.releases.take(300); len(w.releases.readers) != 0 || !strings.Contains(fmt.Sprint(steps.Steps), "it cannot be read") {
		t.Errorf("%+v", steps.Steps)
	}
	w.Offer(&Draft{})
}

// TestARegressionIsReleased by what it predicts, in any goroutine alike.
func TestARegressionIsReleased(t *testing.T) {
	o := adultSettings()
	o.Model.Record.Label = record.Label{Field: "age"}
	o.Model.Learner.Task = model.Regression
	c := &o.Model.Constraints[0]
	c.Criterion, c.Tau, c.Relaxation = fairness.MeanDifference, 5, ""
	w, learner, _ := begun(t, o)
	if w.witnesses != nil {
		t.Error("a regression is monitored")
	}
	records := decoded(t, o, 400)
	for i := range records {
		learner.Take(&Sight{Record: &records[i]})
	}
	d, err := w.Draft()
	if err != nil || d.Make() != nil {
		t.Fatal(err)
	}
	if d.tried == nil || d.tried.problem != nil || d.tried.different != 0 || d.tried.records != goldenRecords {
		t.Fatalf("%+v", d.tried)
	}
	m := d.tried.read
	fork := m.fork()
	if m.regressor == nil || fork.regressor == nil || fork.regressor == m.regressor || fork.classifier != nil {
		t.Fatalf("%+v, %+v", m, fork)
	}
	jury := &Jury{members: []member{fork, {}}}
	made := jury.decide(nil, &records[0])
	if want := m.regressor.Predict(&records[0]); len(made) != 2 || !made[0].Known || made[0].Score != want || made[0].Positive || made[1].Known || m.margin(&records[0]) != m.regressor.Margin(&records[0]) {
		t.Errorf("%+v, want %v", made, want)
	}
}

// TestDecisionsThatComeAgain are counted once, also after a restart, and those of more models than are watched are only counted.
func TestDecisionsThatComeAgain(t *testing.T) {
	o := theirSettings()
	d, err := NewDecider(o.Model, o.Monitoring.Given)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWitnesses(o, d)
	if err != nil {
		t.Fatal(err)
	}
	see := func(id, by string) {
		r := fields("Male", "made.granted", "yes", "by", by)
		if id != "" {
			r.ID = []byte(id)
		}
		s := Sight{Record: r}
		d.Await(&s)
		w.observe(s.Made, r, nil)
	}
	for _, id := range []string{"a", "b", "a", "", ""} {
		see(id, "m")
	}
	see("a", "another model")
	for i := range mostModels {
		see("", fmt.Sprint("model ", i))
	}
	for range 2 {
		all := w.monitored()
		if len(all) != mostModels || all[0].Report.Records != 4 || all[1].Report.Records != 1 || w.repeated() != 1 || w.unmonitored() != 2 {
			t.Fatalf("%d models, %d decisions of the first, %d came again, %d are not watched", len(all), all[0].Report.Records, w.repeated(), w.unmonitored())
		}
		if w, err = restoreWitnesses(o, d, w.state()); err != nil {
			t.Fatal(err)
		}
	}
	if see("b", "m"); w.repeated() != 2 || w.monitored()[0].Report.Records != 4 {
		t.Errorf("after a restart, %d came again", w.repeated())
	}
	o.Model.Constraints = nil
	if d, err := NewDecider(o.Model, o.Monitoring.Given); err == nil && watched(o, d) {
		t.Error("without a comparison there is something to watch")
	}
}

// TestAlarmsAreAnnounced with their evidence, verdicts with their interval, and either with the time of its record if there is one.
func TestAlarmsAreAnnounced(t *testing.T) {
	for _, timed := range []bool{false, true} {
		o := theirSettings()
		o.Monitoring.RunLength = 1000
		d, err := NewDecider(o.Model, o.Monitoring.Given)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWitnesses(o, d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6000 {
			granted := i/2%10 > 0 // of nine in ten, and later of one woman in three
			if i%2 > 0 && i > 2000 {
				granted = i/2%3 == 0
			}
			r := fields([]string{"Male", "Female"}[i%2], "made.granted", map[bool]string{true: "yes", false: "no"}[granted], "by", "m")
			if timed {
				r.Time = time.Unix(1_700_000_000+int64(i), 0)
			}
			s := Sight{Record: r}
			d.Take(&s)
			w.observe(s.Made, r, nil)
			w.watch()
		}
		kinds := map[string]int{}
		for _, a := range w.announce() {
			j := a.Decisions
			kinds[j.Change]++
			if alarm := j.Change == "alarm"; alarm != (j.Evidence != nil) || alarm == (j.Lo != nil) && j.To != string(fairness.NotEstimable) || (j.EventTime != nil) != timed || j.Group != "Male" || j.Record <= 0 {
				t.Errorf("timed %v: %+v", timed, j)
			}
		}
		if kinds["alarm"] == 0 || kinds["verdict"] == 0 {
			t.Errorf("announced: %v", kinds)
		}
	}
}
