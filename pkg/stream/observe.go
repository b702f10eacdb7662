package stream

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// What is learnt is also observed: the decision about it is monitored, and frozen versions that decided it are tested.
// Neither knows of the other, so a second goroutine observes a parcel while the learner learns the next one, if there is a
// processor for it. Each does the same in the same order as one goroutine would.

// sight is what is observed of a record that was learnt.
type sight struct {
	entry *entry
	made  // its levels are the parcel's, once it is seen
}

// observer is the second goroutine. What it knows is in learning: see together.
type observer struct {
	parcels chan learntParcel
	ahead   sync.WaitGroup // parcels that wait
	news    atomic.Bool    // what was observed asks for a checkpoint
}

// learntParcel is a parcel that waits to be observed.
type learntParcel struct {
	task      *task
	parcel    *parcel
	partition int32
}

// beginToObserve decides who observes. The learner does so by itself where there is nothing to observe, on one processor, and where
// groups are found among the records. Decisions of other models, and those whose label may come later, are observed one by one.
func (l *learning) beginToObserve() {
	_, learns := l.learner.(ours)
	l.atOnce = !learns || l.labels != nil
	if l.atOnce || l.witnesses == nil && l.releases == nil || l.learner.Grouper().Meets() || runtime.GOMAXPROCS(0) == 1 {
		return
	}
	l.pipeline.grouper = l.learner.Grouper()
	l.observer = &observer{parcels: make(chan learntParcel, cap(l.pipeline.idle)*parcelsPerTask)} // room for all of them
}

// observe is the goroutine, until the learner ends.
func (l *learning) observe() {
	for s := range l.observer.parcels {
		l.observeParcel(s.parcel, s.partition)
		l.observer.news.Store(l.asksForCheckpoint())
		l.pipeline.giveBack(s.task, s.parcel)
		l.observer.ahead.Done()
	}
}

// together waits until all that was learnt is observed. Witnesses, releases and announcements belong to the learner's
// goroutine from then until it passes the next parcel.
func (l *learning) together() {
	if l.observer != nil {
		l.observer.ahead.Wait()
	}
}

// pass passes a parcel that was learnt to the observer, and from there back to the decoder.
func (l *learning) pass(t *task, p *parcel, partition int32) {
	if l.observer == nil {
		l.observeParcel(p, partition)
		l.pipeline.giveBack(t, p)
		return
	}
	l.observer.ahead.Add(1)
	l.observer.parcels <- learntParcel{t, p, partition}
}

// sight is room for what is observed of an entry.
func (p *parcel) sight(e *entry) *sight {
	p.sights = append(p.sights, sight{})
	s := &p.sights[len(p.sights)-1]
	s.entry, s.levels = e, e.levels
	return s
}

// unsee drops the last sight.
func (p *parcel) unsee() { p.sights = p.sights[:len(p.sights)-1] }

// see keeps the last sight until it is observed.
func (l *learning) see(p *parcel) {
	s := &p.sights[len(p.sights)-1]
	if s.entry.record.Weight <= 0 { // it contributes nothing
		p.unsee()
		return
	}
	if s.entry.levels != nil {
		return
	}
	levels := s.levels
	if levels == nil && l.releases != nil {
		levels = l.learner.Levels(&s.entry.record)
	}
	from := len(p.levels)
	p.levels = append(p.levels, levels...)
	s.levels = p.levels[from:]
}

// observeParcel observes what was kept of a parcel.
func (l *learning) observeParcel(p *parcel, partition int32) {
	for i := range p.sights {
		s := &p.sights[i]
		l.witnesses.observe(s.made, &s.entry.record)
		l.releases.observe(partition, s.entry, p.panel, s.made.levels)
		l.watch()
	}
	p.sights = p.sights[:0]
}

// asksForCheckpoint says whether somebody waits for what was observed to be saved.
func (l *learning) asksForCheckpoint() bool {
	return len(l.announcements) > 0 && l.options.Topics.Events != "" || l.releases.pending()
}

// news says whether there may be something to tell. It does not wait for the observer.
func (l *learning) news() bool {
	if l.observer == nil {
		return l.asksForCheckpoint()
	}
	return l.observer.news.Load()
}
