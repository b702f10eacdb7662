package control

import (
	"runtime"
	"sync"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/linear"
)

// A choice goes over tens of thousands of remembered records. Each half of that work reads the models and writes what the
// other one does not look at, so two processors may share it, and nothing depends on whether they did.

// lane is what one goroutine needs to compute the margins of remembered records again.
type lane struct {
	models      Models
	margins     *linear.Margins
	influence   linear.Influence
	leaveOneOut bool // margins are those of models that have not learnt their records
	from, count int  // what refresh is to do: so many records from a slot on
}

// worthSharing is how many records are worth a goroutine.
const worthSharing = 1024

// halves are the two halves of a work, which may be done at the same time. What they need is kept beside them: a closure for
// each time would be allocated.
type halves struct {
	work    func(half int)
	second  func()
	waiting sync.WaitGroup
}

func newHalves(work func(half int)) *halves {
	h := &halves{work: work}
	h.second = func() {
		h.work(1)
		h.waiting.Done()
	}
	return h
}

// run does both, at the same time if there are so many records that it may be faster.
func (h *halves) run(records int) {
	if records < worthSharing || runtime.GOMAXPROCS(0) == 1 {
		h.work(0)
		h.work(1)
		return
	}
	h.waiting.Add(1)
	go h.second()
	h.work(0)
	h.waiting.Wait()
}

// prepare makes a lane ready for the models of today. A push pulls back as far as margins are near its hinge; the mean
// square of its gradient is the square of its multiplier.
func (r *Rates) prepare(l *lane) *lane {
	if l.leaveOneOut = !r.settings.Without.Has(refine.LeaveOneOut); !l.leaveOneOut {
		return l
	}
	pull, square := 0.0, 0.0
	for _, k := range r.active {
		multiplier := r.constraints[k].multiplier
		pull += float64(hingePull * multiplier)
		square += float64(multiplier * multiplier)
	}
	models := float64(len(r.active) + 1)
	r.models.Influence(&l.influence, pull/models, square/models)
	return l
}

// refresh computes the margins of the next few remembered records again.
func (r *Rates) refresh(count int) {
	m := r.memory
	count = min(count, m.used())
	first, second := &r.lanes[0], &r.lanes[1]
	first.from, first.count = m.stale, count/2
	second.from, second.count = m.behind(m.stale, count/2), count-count/2
	r.refreshing.run(count)
	m.stale = m.behind(second.from, second.count)
}

func (r *Rates) refreshHalf(half int) {
	l := r.prepare(&r.lanes[half])
	r.memory.refresh(l.from, l.count, l, r.records)
}
