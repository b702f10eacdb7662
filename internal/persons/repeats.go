package persons

import (
	"math"

	"github.com/fairstream/fairstream/internal/codec"
)

// Mark is what decisions about one record or person may have in common.
type Mark int

// The marks.
const (
	// Content is all that the model reads, with the groups.
	Content Mark = iota
	// Identity is the identifier of the record, or else the key of its message.
	Identity

	marks
)

// Marks are hashes of a decision, 0 for none.
type Marks [marks]uint64

// Repeats notice decisions that come several times within a short range: copies of a record, or several records of a person, one after
// the other. Of every repeatEvery decisions it looks at the first repeatRange, in which it compares each with those before it. Values that
// many records share repeat too, but then as often from one such range to the next, which has as many chances: only the excess counts.
type Repeats struct {
	seen            int64               // decisions that count
	before, present [repeatRange]Marks  // the last range, and the present one
	began           bool                // before is filled
	counts          [marks]repeatCounts // the older ones faded
}

type repeatCounts struct {
	decisions float64 // that have the mark
	near, far float64 // of which one before in the same range has the same, or one as early in the range before
}

const (
	repeatEvery = 256
	repeatRange = 32
	// repeatMemory is how many decisions count; then all counts are halved. About 16,000 to 32,000 decisions of the stream.
	repeatMemory = 4096
	// Of so many decisions, the excess must be at least leastExcess, and repeatSigma standard errors. If more than mostAlike agree from
	// range to range, the mark tells nobody apart.
	fewestRepeats = 256
	leastExcess   = 0.05
	repeatSigma   = 5
	mostAlike     = 0.2
)

// Due says whether the marks of the next decision are wanted.
func (r *Repeats) Due() bool { return r.seen%repeatEvery < repeatRange }

// Add takes the marks of the next decision, of which 0 stands for none.
func (r *Repeats) Add(of Marks) {
	at := r.seen % repeatEvery
	r.seen++
	if at >= repeatRange {
		return
	}
	r.present[at] = of
	for k := range r.counts {
		if of[k] == 0 || !r.began {
			continue
		}
		c := &r.counts[k]
		c.decisions++
		c.near += among(r.present[:at], k, of[k])
		c.far += among(r.before[:at], k, of[k])
		if c.decisions >= repeatMemory {
			c.decisions, c.near, c.far = c.decisions/2, c.near/2, c.far/2
		}
	}
	if at == repeatRange-1 {
		r.before, r.began = r.present, true
	}
}

// among is 1 if one of the decisions has the mark k.
func among(decisions []Marks, k int, mark uint64) float64 {
	for i := range decisions {
		if decisions[i][k] == mark {
			return 1
		}
	}
	return 0
}

// Found says what share of the decisions that count repeats one of the up to 31 before it, beyond chance.
type Found struct {
	// Copies says that there are too many for independent decisions.
	Copies bool
	By     Mark
	Share  float64 // in [0, 1]
}

// Found is the mark with the largest share.
func (r *Repeats) Found() (most Found) {
	for k, c := range r.counts {
		excess := c.near - c.far
		if c.decisions < fewestRepeats || c.far > mostAlike*c.decisions || excess < repeatSigma*math.Sqrt(c.near+c.far) {
			continue
		}
		if share := excess / c.decisions; share >= leastExcess && share > most.Share {
			most = Found{Copies: true, By: Mark(k), Share: share}
		}
	}
	return most
}

// Fields codes what is saved.
func (r *Repeats) Fields(c *codec.Coder) {
	c.Count(&r.seen)
	c.Bool(&r.began)
	for _, decisions := range [...]*[repeatRange]Marks{&r.before, &r.present} {
		for i := range decisions {
			for k := range decisions[i] {
				c.Uint(&decisions[i][k])
			}
		}
	}
	for k := range r.counts {
		n := &r.counts[k]
		c.Sum(&n.decisions)
		c.Sum(&n.near)
		c.Sum(&n.far)
		c.Check(n.decisions < repeatMemory && max(n.near, n.far) <= n.decisions)
	}
}
