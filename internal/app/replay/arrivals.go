package replay

import (
	"container/heap"
	"time"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// arrivals gives learners the records of a file, and their labels when these became known (record.label.time): the past as it came.
type arrivals struct {
	learners []*model.Learner
	timed    bool      // some labels may have come later than their record
	now      time.Time // the latest time of a record
	number   int64     // of records
	later    labelled
}

// add takes in a record, after the labels that had come before it.
func (a *arrivals) add(r *record.Record) {
	a.number++
	if !a.timed {
		a.each(func(l *model.Learner) { l.Add(r) })
		return
	}
	if r.Time.After(a.now) {
		a.now = r.Time
	}
	for len(a.later) > 0 && !a.later[0].record.LabelTime.After(a.now) {
		a.learnNext()
	}
	if !r.HasLabel || !r.LabelTime.After(a.now) { // it has no label, or none that came later
		a.each(func(l *model.Learner) { l.Add(r) })
		return
	}
	whole := r.Clone()
	heap.Push(&a.later, late{whole, a.number})
	whole.HasLabel, whole.Positive, whole.Label = false, false, 0
	a.each(func(l *model.Learner) { l.Count(&whole, a.number) })
}

// end learns the labels that became known after the last record.
func (a *arrivals) end() {
	for len(a.later) > 0 {
		a.learnNext()
	}
}

func (a *arrivals) learnNext() {
	next := heap.Pop(&a.later).(late)
	a.each(func(l *model.Learner) { l.LearnLate(&next.record, next.number) })
}

func (a *arrivals) each(do func(*model.Learner)) {
	for _, l := range a.learners {
		do(l)
	}
}

// late is a record whose label comes later.
type late struct {
	record record.Record
	number int64
}

// labelled are such records, the first label first: a heap.
type labelled []late

func (l labelled) Len() int      { return len(l) }
func (l labelled) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

func (l labelled) Less(i, j int) bool {
	if a, b := l[i].record.LabelTime, l[j].record.LabelTime; !a.Equal(b) {
		return a.Before(b)
	}
	return l[i].number < l[j].number
}

func (l *labelled) Push(x any) { *l = append(*l, x.(late)) }

func (l *labelled) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	*l = (*l)[:last]
	return x
}
