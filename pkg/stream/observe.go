package stream

import (
	"sync/atomic"

	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/record"
)

// What is learnt is also observed: the decision about it is monitored, and frozen versions that decided it are tested.
// Neither knows of the other, and learning does not need them, so each is a part (internal/isolate). One goroutine has both observe a
// parcel while the learner learns the next one. Each does the same in the same order as the learner's goroutine would.
// They ask the learner's structure for nothing, record by record: the learner writes to it for each record, on another processor.

// sight is what is observed of a record.
type sight struct {
	entry *entry
	made  // its levels are the parcel's, once it is seen
	// record is the one that was decided. waits is the record that waits for its label now, or waited until this one brought it.
	record *record.Record
	waits  *waiting
}

// joined says whether the record is one that waited.
func (s *sight) joined() bool { return s.record != &s.entry.record }

// watching are the parts that observe, and what of them a snapshot saves. What jobs of a part use belongs to the part: the learner gets it through
// isolate.Ask. That of the decisions of other models is no part: to monitor them is all that the job does.
type watching struct {
	monitoring, releasing *isolate.Part // nil: there is nothing to observe, or the learner does it at once
	inStep                bool          // the parts may use what the learner changes: it waits for them
	saved                 savedParts
	saidStopped           bool // the last snapshot says that the releases are cut off
	// news says of each part that what was observed asks for a checkpoint.
	monitorNews, releaseNews atomic.Bool
}

// beginToObserve decides how decoders and parts go together.
func (l *learning) beginToObserve() {
	l.inStep = l.learner.Grouper().Meets()
	if _, learns := l.learner.(ours); learns && l.labels == nil && !l.inStep && (l.witnesses != nil || l.releases != nil) {
		l.pipeline.grouper = l.learner.Grouper()
	}
}

// beat looks whether the parts make progress.
func (l *learning) beat() {
	l.monitoring.Beat()
	l.releasing.Beat()
}

// together waits until all that was learnt is observed.
func (l *learning) together() {
	l.monitoring.Settle()
	l.releasing.Settle()
}

// pass passes a parcel that was learnt to the parts, and from there back to the decoder.
func (l *learning) pass(t *task, p *parcel, partition int32) {
	if len(p.sights) == 0 {
		l.free(t, p)
		return
	}
	p.users.Store(2)
	end := func(held bool) {
		if held {
			p.held.Store(true)
		}
		if p.users.Add(-1) > 0 {
			return
		}
		free := p // of who hangs: its goroutine keeps p
		if p.held.Load() {
			free = t.replace(p)
		}
		l.free(t, free)
	}
	post(l.monitoring, l.witnesses != nil, func() { l.monitorParcel(p) }, end)
	if l.inStep {
		l.monitoring.Settle()
	}
	post(l.releasing, l.releases != nil, func() { l.releaseParcel(p, partition) }, end)
	if l.inStep {
		l.releasing.Settle()
	}
}

func (l *learning) free(t *task, p *parcel) {
	p.sights = p.sights[:0]
	l.pipeline.giveBack(t, p)
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

// sight is room for what is observed of an entry.
func (p *parcel) sight(e *entry) *sight {
	p.sights = append(p.sights, sight{})
	s := &p.sights[len(p.sights)-1]
	s.entry, s.levels, s.record = e, e.levels, &e.record
	return s
}

// unsee drops the last sight.
func (p *parcel) unsee() { p.sights = p.sights[:len(p.sights)-1] }

// see keeps the last sight until it is observed.
func (l *learning) see(p *parcel) {
	s := &p.sights[len(p.sights)-1]
	if s.waits == nil && s.record.Weight <= 0 { // it contributes nothing
		p.unsee()
		return
	}
	if s.entry.levels != nil {
		return
	}
	levels := s.levels
	if levels == nil && l.releases != nil || s.joined() {
		levels = l.learner.Levels(s.record)
	}
	from := len(p.levels)
	p.levels = append(p.levels, levels...)
	s.levels = p.levels[from:]
}

// monitorParcel monitors what was kept of a parcel.
func (l *learning) monitorParcel(p *parcel) {
	witnesses, probe := l.witnesses, l.probe
	for i := range p.sights {
		s := &p.sights[i]
		if s.joined() {
			witnesses.label(s.waits.made(s.levels, s.model), s.record.Positive, s.entry.record.Time)
		} else {
			witnesses.observe(s.made, s.record)
		}
		witnesses.watch()
		probe.At(PartMonitor, "observe")
	}
	l.monitorNews.Store(len(witnesses.announcements) > 0 && l.options.Topics.Events != "")
}

// releaseParcel has the releases observe what was kept of a parcel.
func (l *learning) releaseParcel(p *parcel, partition int32) {
	releases, probe := l.releases, l.probe
	for i := range p.sights {
		switch s := &p.sights[i]; {
		case s.joined():
			releases.label(s.waits.number.Load(), s.record, s.levels, s.entry.record.Time)
			probe.At(PartReleases, "label")
		case s.record.Weight <= 0: // it contributes nothing
		case s.waits != nil:
			s.waits.number.Store(releases.observe(partition, s.entry, p.panel, s.levels))
		default:
			releases.observe(partition, s.entry, p.panel, s.levels)
		}
		probe.At(PartReleases, "observe")
	}
	l.releaseNews.Store(releases.pending())
}
