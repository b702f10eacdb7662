package observe

import (
	"bytes"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// job does with an observer what the loop of pkg/stream does, in one goroutine and in memory.
type job struct {
	*Observer
	t        *testing.T
	settings *Settings
	decider  Decider
	world    *clustertest.Memory
	models   *modeltopic.Publisher
	history  *chronicle.Recorder
	decoder  *record.Decoder
	juries   *Juries
	jury     Jury
	number   int64
	snapshot Saved
	learner  []byte
	steps    []release.Step
}

// easy are settings under which a version is soon released.
func easy() *Settings {
	o := adultSettings()
	o.Release = release.Config{Limit: .95, Delta: .9, MinimumRecords: 10, MinimumLabels: 100, CoolDown: 1, Rate: 1_000_000_000}.WithDefaults()
	o.Events = true
	return o
}

func newJob(t *testing.T, o *Settings) *job {
	t.Helper()
	j := &job{t: t, settings: o, world: clustertest.New(map[string]int{"models": 1, "history": 1})}
	j.start(1)
	return j
}

// start begins from the last snapshot, as the owner of a term.
func (j *job) start(term int64) {
	j.t.Helper()
	var err error
	if j.decider, err = NewDecider(j.settings.Model, j.settings.Monitoring.Given); j.learner != nil {
		j.decider, err = RestoreDecider(j.settings.Model, j.settings.Monitoring.Given, j.learner)
	}
	if err == nil {
		j.Observer, err = New(j.settings, j.decider, j.snapshot)
	}
	if err == nil {
		j.models, err = modeltopic.Topic{Cluster: j.world, Name: "models", Job: "adult"}.Publish(j.t.Context(), modeltopic.Own{Term: term, Keep: 2, Notify: func(modeltopic.Event) {}})
	}
	if err == nil {
		j.history, _, err = chronicle.Topic{Cluster: j.world, Name: "history", Job: "adult"}.Open(j.t.Context(), chronicle.Head{}, func(problem string) { j.t.Error(problem) })
	}
	if err != nil {
		j.t.Fatal(err)
	}
	j.history.Owned(term, history.Who{Service: "test"}, "")
	j.Begin(term, func(isolate.Stopped) {})
	if err := j.Load(j.t.Context(), j.models, j.history); err != nil {
		j.t.Fatal(err)
	}
	schema, err := j.settings.Model.Schema()
	if err != nil {
		j.t.Fatal(err)
	}
	j.decoder, j.juries, j.jury = schema.NewDecoder(), j.Juries(false), Jury{}
}

// learn takes in the next n records, in batches of ten.
func (j *job) learn(n int64) {
	j.t.Helper()
	for batch := range slices.Chunk(adultLines()[j.number:j.number+n], 10) {
		b := &Batch{Entries: make([]Entry, len(batch)), Count: len(batch)}
		for i, line := range batch {
			e := &b.Entries[i]
			e.Source = &kafka.Record{Offset: j.number + int64(i), Timestamp: 1_700_000_000_000 + j.number + int64(i)}
			if err := j.decoder.DecodeJSON(&e.Record, []byte(line)); err != nil {
				j.t.Fatal(err)
			}
			b.Place(e, j.juries.Grouper)
		}
		j.juries.Decide(b, &j.jury, 0)
		for i := range b.Entries {
			j.number++
			s := b.Sight(&b.Entries[i])
			s.Number = j.number
			j.decider.Take(s)
			j.See(b)
		}
		ended := make(chan bool, 1)
		j.Pass(b, 0, func(held bool) { ended <- held })
		if held := <-ended; held || len(b.sights) > 0 {
			j.t.Fatalf("a batch was observed, and is held: %v, %d sights", held, len(b.sights))
		}
	}
}

// checkpoint takes a snapshot, tells its steps to the history and moves the aliases, as far as the fault lets it.
func (j *job) checkpoint() Taken {
	j.t.Helper()
	taken := j.Take(j.number)
	j.snapshot, j.learner = taken.Saved, bytes.Join(j.decider.Hold()(), nil)
	j.snapshot.Records = j.number
	if taken.Steps != nil {
		j.steps = append(j.steps, taken.Steps.Steps...)
		if err := j.history.Complete(j.t.Context(), chronicle.EntriesOf(taken.Steps.Told)); err != nil {
			j.t.Fatal(err)
		}
		if err := j.models.Assign(j.t.Context(), taken.Steps.Assigned); err != nil {
			j.t.Fatal(err)
		}
	}
	return taken
}

// publish makes a document, offers it and publishes it behind a snapshot.
func (j *job) publish() *document.Document {
	j.t.Helper()
	d, err := j.Draft()
	if err == nil {
		err = d.Make()
	}
	if err != nil {
		j.t.Fatal(err)
	}
	d.Document.Job = "adult"
	j.Offer(d)
	taken := j.checkpoint()
	if _, err := j.models.Publish(j.t.Context(), d.Document, taken.Steps.Assigned); err != nil {
		j.t.Fatal(err)
	}
	return d.Document
}

// aliases are the versions of stable, candidate and previous on the topic; 0 for none.
func (j *job) aliases() (all [3]int64) {
	for i, name := range []string{modeltopic.Stable, modeltopic.Candidate, modeltopic.Previous} {
		alias, _ := j.models.Alias(name)
		all[i] = alias.Version
	}
	return all
}

// promote learns until another version is stable.
func (j *job) promote() {
	j.t.Helper()
	for before := j.aliases()[0]; j.aliases()[0] == before; j.checkpoint() {
		if j.learn(100); j.number > 10_000 {
			j.t.Fatalf("no other version than %d is stable after %d records: %+v", before, j.number, j.steps)
		}
	}
}

func (j *job) order(action release.Action, id string, at release.Version, byDefault bool) (Outcome, error) {
	j.t.Helper()
	return j.Command(j.t.Context(), Command{release.Command{ID: id, Action: action, Version: at, Actor: "a person", Reason: "for a test"}, byDefault})
}

// promoted is a job whose first version has become stable and whose second is a candidate.
func promoted(t *testing.T, o *Settings) (j *job, first, second *document.Document) {
	t.Helper()
	j = newJob(t, o)
	j.learn(300)
	first = j.publish()
	j.promote()
	j.learn(10)
	second = j.publish()
	return j, first, second
}
