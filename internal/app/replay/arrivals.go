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
	timed    bool          // some labels may have come later than their record
	age      time.Duration // labels are learnt when their record is as old as this; 0: when they come
	now      time.Time     // the latest time of a record
	number   int64         // of records
	later    labelled
}

// add takes in a record, after the labels that are learnt before it.
func (a *arrivals) add(r *record.Record) {
	a.number++
	if !a.timed {
		a.each(func(l *model.Learner) { l.Add(r) })
		return
	}
	if r.Time.After(a.now) {
		a.now = r.Time
	}
	for len(a.later) > 0 && !a.later[0].due.After(a.now) {
		a.learnNext()
	}
	comes := r.HasLabel && r.LabelTime.After(a.now)
	if r.HasLabel && !comes || !r.HasLabel && a.age == 0 { // it has its label at once, or none that anybody waits for
		a.each(func(l *model.Learner) { l.Add(r) })
		return
	}
	next := late{record: r.Clone(), number: a.number, due: r.LabelTime}
	if a.age > 0 {
		next.due, next.never = a.now.Add(a.age), !comes || r.LabelTime.After(a.now.Add(a.age))
	}
	bare := next.record
	bare.HasLabel, bare.Positive, bare.Label = false, false, 0
	heap.Push(&a.later, next)
	a.each(func(l *model.Learner) { l.Count(&bare, a.number) })
}

// end learns the labels that are left after the last record.
func (a *arrivals) end() {
	for len(a.later) > 0 {
		a.learnNext()
	}
}

func (a *arrivals) learnNext() {
	next := heap.Pop(&a.later).(late)
	a.each(func(l *model.Learner) {
		if next.never {
			l.Never(&next.record)
		} else {
			l.LearnLate(&next.record, next.number)
		}
	})
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
	due    time.Time // when its label is learnt
	never  bool      // it has none by then
}

// labelled are such records, the first that is due first: a heap.
type labelled []late

func (l labelled) Len() int      { return len(l) }
func (l labelled) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

func (l labelled) Less(i, j int) bool {
	if a, b := l[i].due, l[j].due; !a.Equal(b) {
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
