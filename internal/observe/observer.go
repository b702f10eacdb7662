package observe

import (
	"fmt"
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/release"
)

// Parts that learning does not need; internal/chronicle has a third one. Rule "a part is saved whole" in doc.go.
const (
	PartMonitor  = "monitor"
	PartReleases = "releases"
)

// Observer has the decisions of a learner monitored, and tests the frozen versions that decided them. Neither part knows of the other: each
// observes a batch while the learner learns the next one, and does the same in the same order as the learner's goroutine would. One goroutine
// works for both. Methods are for the learner's goroutine, which gets what belongs to a part through isolate.Ask.
//
// To monitor the decisions of other models is no part: it is all that the job does.
type Observer struct {
	decider Decider
	probe   isolate.Probe
	events  bool

	monitoring, releasing *isolate.Part // monitoring is nil if the learner's goroutine does it
	trying                *isolate.Part // of the releases, with a goroutine of its own: to try a document takes long
	witnesses             *witnesses    // of the part monitoring; nil if decisions are not monitored
	releases              *releases     // of the part releasing; nil if nothing is released
	inStep                bool          // the parts may use what the learner changes: it waits for them
	saved                 Saved         // what the last snapshot holds
	saidStopped           bool          // the last snapshot says that the releases are cut off
	// News says of each part that what was observed asks for a checkpoint.
	monitorNews, releaseNews atomic.Bool
}

// Saved are the sections of a snapshot, each empty if there is none.
type Saved struct {
	Monitor, Release []byte
	Records          int64 // that were learnt or kept by then
}

// New goes on from the sections of a snapshot. One that cannot be restored cuts its part off.
func New(o *Settings, d Decider, saved Saved) (observer *Observer, err error) {
	w := &Observer{decider: d, probe: o.Probe, events: o.Events, saved: saved, releasing: isolate.New(PartReleases), inStep: d.Grouper().Meets()}
	w.trying = isolate.New(PartReleases)
	w.trying.OnStop(w.releasing.CutLike)
	if w.witnesses, err = newWitnesses(o, d); err != nil {
		return nil, err
	}
	if w.releases, err = newReleases(o, d); err != nil {
		return nil, err
	}
	if !d.Learns() {
		if w.witnesses, err = restoreWitnesses(o, d, saved.Monitor); err != nil {
			return nil, fmt.Errorf("observe: a snapshot is damaged: %w", err)
		}
	} else if w.monitoring = w.releasing.Beside(PartMonitor); w.witnesses != nil {
		restored(w.monitoring, func() error {
			return restoreInto(&w.witnesses, func() (*witnesses, error) { return restoreWitnesses(o, d, saved.Monitor) })
		})
	}
	if w.releases != nil || len(saved.Release) > 0 {
		restored(w.releasing, func() error {
			return restoreInto(&w.releases, func() (*releases, error) { return restoreReleases(o, d, saved.Release, saved.Records) })
		})
	}
	return w, nil
}

func restoreInto[T any](to *T, restore func() (T, error)) error {
	found, err := restore()
	if err == nil {
		*to = found
	}
	return err
}

// restored cuts a part off that cannot be restored.
func restored(p *isolate.Part, restore func() error) {
	if err, ok := isolate.Ask(p, restore); ok && err != nil {
		p.Cut(fmt.Sprintf("what the last snapshot holds of it cannot be restored: %v", err))
	}
}

// Begin has parts that are cut off told of, from the restored ones on. origin is the term in which the state began.
func (w *Observer) Begin(origin int64, stopped func(isolate.Stopped)) {
	if w.witnesses != nil {
		w.witnesses.origin = origin
	}
	w.releasing.OnStop(stopped)
	if w.monitoring != nil {
		w.monitoring.OnStop(stopped)
	}
}

// BeganAgain says that the comparisons or the settings of the monitor changed, so that it started to count again.
func (w *Observer) BeganAgain() bool {
	again, ok := isolate.Ask(w.monitoring, func() bool { return w.witnesses != nil && w.witnesses.again })
	return again && ok
}

// Juries decide in the decoders, by the panel of the moment, until the releases are cut off.
type Juries struct {
	panel     atomic.Pointer[Panel]
	releasing *isolate.Part
	// Grouper tells the levels of records that the decoders find; nil: the learner finds them.
	Grouper *fairness.Grouper
}

// Juries gives the decoders what they decide by from now on. With late labels, the learner finds levels.
func (w *Observer) Juries(late bool) *Juries {
	j := &Juries{releasing: w.releasing}
	if w.decider.Learns() && !late && !w.inStep && (w.witnesses != nil || w.releases != nil) {
		j.Grouper = w.decider.Grouper()
	}
	show := func(p *Panel) { w.releasing.While(func() { j.panel.Store(p) }) }
	isolate.Ask(w.releasing, func() struct{} {
		if !w.releases.off() {
			w.releases.show = show
			show(w.releases.current())
		}
		return struct{}{}
	})
	return j
}

// Decide decides the entries of a batch. What it decided for an earlier panel, the releases decide again.
func (j *Juries) Decide(b *Batch, jury *Jury, partition int32) {
	if b.panel = j.panel.Load(); b.panel != nil {
		j.releasing.Try(func() { b.Decide(b.panel, jury, partition) })
	}
}

// Beat looks whether the parts make progress, which have one line of jobs.
func (w *Observer) Beat() { w.releasing.Beat() }

// Settle waits until all that was passed is observed.
func (w *Observer) Settle() { w.releasing.Settle() }

// See keeps the last sight of a batch until it is observed.
func (w *Observer) See(b *Batch) {
	s := &b.sights[len(b.sights)-1]
	if s.Waits == nil && s.Record.Weight <= 0 { // it contributes nothing
		b.Unsee()
		return
	}
	if s.Entry.levels != nil {
		return
	}
	levels := s.Levels
	if levels == nil && w.releases != nil || s.joined() {
		levels = w.decider.Levels(s.Record)
	}
	from := len(b.levels)
	b.levels = append(b.levels, levels...)
	s.Levels = b.levels[from:]
}

// Pass has the parts observe the sights of a batch, whose entries are of one partition. end is called once, when nobody needs the batch any more,
// on any goroutine; held says that a part which was given up may use it for ever.
func (w *Observer) Pass(b *Batch, partition int32, end func(held bool)) {
	if len(b.sights) == 0 {
		end(false)
		return
	}
	b.users.Store(2)
	done := func(held bool) {
		if held {
			b.held.Store(true)
		}
		if b.users.Add(-1) > 0 {
			return
		}
		if held = b.held.Load(); !held { // else its goroutine keeps it
			b.sights = b.sights[:0]
		}
		end(held)
	}
	post(w.monitoring, w.witnesses != nil, func() { w.monitor(b) }, done)
	post(w.releasing, w.releases != nil, func() { w.release(b, partition) }, done)
	if w.inStep {
		w.Settle()
	}
}

// post gives a part a job, if there is something to do.
func post(p *isolate.Part, needed bool, do func(), end func(held bool)) {
	switch {
	case !needed:
		end(false)
	case p == nil:
		do()
		end(false)
	default:
		p.Post(do, end)
	}
}

// monitor monitors what was kept of a batch.
func (w *Observer) monitor(b *Batch) {
	witnesses, probe := w.witnesses, w.probe
	for i := range b.sights {
		s := &b.sights[i]
		if s.joined() {
			witnesses.label(Made{Known: s.Waits.Known, Positive: s.Waits.Positive, Score: s.Waits.Score, Weight: s.Weight, Levels: s.Levels, Model: s.Model},
				s.Record, s.Entry.Record.Time)
		} else {
			witnesses.observe(s.Made, s.Record, s.Entry.Source.Key)
		}
		witnesses.watch()
		probe.At(PartMonitor, "observe")
	}
	w.monitorNews.Store(len(witnesses.announcements) > 0 && w.events)
}

// release has the releases observe what was kept of a batch.
func (w *Observer) release(b *Batch, partition int32) {
	releases, probe := w.releases, w.probe
	for i := range b.sights {
		switch s := &b.sights[i]; {
		case s.joined():
			releases.label(s)
			probe.At(PartReleases, "label")
		case s.Record.Weight <= 0: // it contributes nothing
		default:
			releases.observe(partition, s, b.panel)
		}
		probe.At(PartReleases, "observe")
	}
	w.releaseNews.Store(releases.pending())
}

// Announces says whether somebody waits for an announcement of the monitor, and Steps whether the releases have something to save.
func (w *Observer) Announces() bool { return w.monitorNews.Load() }

// Steps says whether the releases have something to save: a step, or that they are cut off.
func (w *Observer) Steps() bool {
	return w.releaseNews.Load() || !w.releasing.Works() && !w.saidStopped
}

// Taken is what a checkpoint makes of what was observed.
type Taken struct {
	Saved
	Announcements []chronicle.Announcement // of the monitor
	Steps         *Steps                   // of the releases; nil if nothing is released
}

// Take gives what a checkpoint saves, and what is to be told after it, when so many records were learnt or kept. Of a part that is cut off, it
// is what the last one saved.
func (w *Observer) Take(records int64) (t Taken) {
	if w.witnesses != nil {
		type taken struct {
			section []byte
			told    []chronicle.Announcement
		}
		now, ok := isolate.Ask(w.monitoring, func() taken {
			w.probe.At(PartMonitor, "save")
			return taken{w.witnesses.state(), w.witnesses.announce()}
		})
		if ok {
			w.saved.Monitor = now.section
		}
		t.Monitor, t.Announcements = w.saved.Monitor, now.told
	}
	if w.releases != nil {
		t.Steps, t.Release = w.takeSteps(records)
	}
	w.monitorNews.Store(false)
	w.releaseNews.Store(false)
	w.saidStopped = !w.releasing.Works()
	return t
}

func (w *Observer) takeSteps(records int64) (s *Steps, section []byte) {
	type taken struct {
		steps   *Steps
		section []byte
	}
	now, ok := isolate.Ask(w.releasing, func() (t taken) {
		w.probe.At(PartReleases, "save")
		t.steps, t.section = w.releases.take(records)
		return t
	})
	if ok {
		w.saved.Release = now.section
		return now.steps, now.section
	}
	saved, machine := stateOf(w.saved.Release)
	if saved == nil {
		return nil, w.saved.Release
	}
	saved.Steps = nil // they were told after the snapshot before
	w.saved.Release = saved.section(machine)
	if saved.Assigned == nil {
		return nil, w.saved.Release
	}
	return &Steps{Assigned: saved.Assigned.assignment(w.releasing.Stopped().At)}, w.saved.Release
}

// Report is what is known now.
type Report struct {
	Monitored   []*Monitored
	Unmonitored int64 // decisions of models that are not monitored
	Repeated    int64 // decisions that came again with the same identifier, and do not count
	// Releases is nil if nothing is released, and says nothing if they are Cut off.
	Releases *release.Report
	Cut      bool
}

// Report asks the parts.
func (w *Observer) Report() Report {
	r, _ := isolate.Ask(w.monitoring, func() Report {
		w.probe.At(PartMonitor, "report")
		return Report{Monitored: w.witnesses.monitored(), Unmonitored: w.witnesses.unmonitored(), Repeated: w.witnesses.repeated()}
	})
	released, ok := isolate.Ask(w.releasing, func() *release.Report {
		w.probe.At(PartReleases, "report")
		return w.releases.report()
	})
	r.Releases, r.Cut = released, !ok
	return r
}
