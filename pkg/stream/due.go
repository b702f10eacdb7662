package stream

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// clock says when a snapshot or a publication is due. It decides when something is saved, never what is learnt.
type clock struct {
	now   time.Time        // when the learner last looked
	ticks <-chan time.Time // every heartbeat, while nothing else is done

	busy             bool // the keeper has a checkpoint
	dirty            bool // something was processed since the last one
	debt             debt // of what was processed
	savedVersion     int64
	savedAt          time.Time
	publishedVersion int64
	publishedAt      time.Time
	wanted           atomic.Bool // a snapshot, by another goroutine
	fresh            bool        // what would be published is not what was published last, or that is not known

	tell func(debt)
}

// look looks at the clock.
func (c *clock) look() time.Time {
	c.now = time.Now()
	if c.dirty && c.debt.unsaved.IsZero() {
		c.debt.unsaved = c.now
		c.tell(c.debt)
	}
	return c.now
}

// begin starts the intervals.
func (c *clock) begin(o *Options) {
	early := func(interval time.Duration) time.Time {
		return c.now.Add(-time.Duration(o.Beside.Phase * float64(interval)))
	}
	c.savedAt, c.publishedAt = early(o.Snapshot.Interval), early(o.Publish.Interval)
}

// process notes that something was processed.
func (c *clock) process() { c.dirty = true }

// snapshotDue says whether a snapshot is due. announcements wait for one, or steps of the releases do.
func (c *clock) snapshotDue(every Cadence, version int64, announcements, steps bool) bool {
	quiet := c.now.Sub(c.savedAt)
	return c.wanted.Swap(false) || c.dirty && every.due(version-c.savedVersion, quiet) || quiet >= betweenNews && (c.dirty && announcements && quiet >= announceEvery || steps)
}

// publicationDue says whether weights are due.
func (c *clock) publicationDue(every Cadence, version int64) bool {
	return version > c.publishedVersion && every.due(version-c.publishedVersion, c.now.Sub(c.publishedAt))
}

// unpublished says whether there are weights that were not published.
func (c *clock) unpublished(version int64) bool {
	return version > 0 && (c.fresh || version > c.publishedVersion)
}

// hand notes that the keeper gets a checkpoint.
func (c *clock) hand(version int64) {
	c.dirty, c.busy = false, true
	c.savedVersion, c.savedAt = version, c.now
	if c.debt.saving = c.debt.unsaved; c.debt.saving.IsZero() {
		c.debt.saving = c.now
	}
	c.debt.unsaved = time.Time{}
	c.tell(c.debt)
}

// end notes that the keeper is done with it.
func (c *clock) end(result saved) {
	c.busy = false
	c.debt.saving = time.Time{}
	c.tell(c.debt)
	c.dirty = c.dirty || result.behind
	if result.published > 0 {
		c.publishedVersion, c.publishedAt, c.fresh = result.published, time.Now(), false
	}
}

// An announcement waits announceEvery for a snapshot at most. betweenNews is the least time between two checkpoints that only what was observed
// asks for: of a fast stream, each would hold few steps of releases.
const (
	announceEvery = 5 * time.Second
	betweenNews   = time.Second
)

// Useless says that what was learnt up to the end of the input says nothing: labels that are all alike, or no
// enforced constraint that can be measured. It was saved and not published.
type Useless struct{ Topic, Reason string }

func (e *Useless) Error() string {
	return fmt.Sprintf("topic %s: nothing was published: %s", e.Topic, e.Reason)
}

// Divergence says that the weights are not finite any more. Nothing is saved or published after it.
type Divergence struct{ Err error }

func (e *Divergence) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Divergence) Unwrap() error { return e.Err }

// firstPublication is the number of learnt records after which weights are published even if a
// constraint is not estimable yet: a group that hardly ever occurs must not hold back the weights
// for ever. The document then says not_estimable.
const firstPublication = 100_000

// gate says whether weights may be published.
type gate struct {
	learner  observe.Decider
	notify   func(Event)
	useful   bool      // the weights say something, and will go on to
	useless  int64     // after so many labels the weights said nothing
	withheld bool      // and that was told
	askAt    time.Time // when to look again
}

// isUseful says whether the weights say something. Once they do they go on to: labels that differed and groups that
// were measured stay so.
func (g *gate) isUseful(now time.Time) bool {
	learnt := g.learner.Labelled()
	if g.useful {
		return true
	}
	if learnt == 0 {
		g.withhold("no record has its label yet, or labels are held until their records are as old as stream.labels.age, so nothing is learnt")
		return false
	}
	g.askAt = now.Add(measureEvery)
	if g.useless == learnt {
		return false
	}
	m := g.learner.Measure()
	if m == nil { // nothing is ever published
		return false
	}
	reason := m.Useless()
	if reason == "" {
		g.useful = true
		return true
	}
	g.useless = learnt
	g.withhold(reason)
	return false
}

// opens says whether the weights say something, and whether it can be said of every enforced constraint
// whether it is kept. before is the version that was published last.
func (g *gate) opens(now time.Time, before int64) bool {
	learnt := g.learner.Labelled()
	if learnt == 0 || !g.isUseful(now) { // labels that come later are no news
		return false
	}
	if learnt >= firstPublication || before > 0 {
		return true
	}
	g.askAt = now.Add(measureEvery)
	for _, e := range g.learner.Measure().Constraints {
		if e.Enforced && e.Status == fairness.NotEstimable {
			g.withhold("constraint " + e.Name + " cannot be measured yet: " + e.Reason)
			return false
		}
	}
	return true
}

// asks says whether it is time to look again.
func (g *gate) asks(now time.Time) bool { return !now.Before(g.askAt) }

// withhold tells once why nothing is published.
func (g *gate) withhold(reason string) {
	if !g.withheld {
		g.notify(Withheld{reason})
		g.withheld = true
	}
}

// NothingLearnt says that a stream reached the end of its input and could not learn a single record of
// it.
type NothingLearnt struct {
	Topic    string
	Rejected int64
	// Last says why the last of them was rejected.
	Last error
}

func (e *NothingLearnt) Error() string {
	return fmt.Sprintf("topic %s: none of the %d records could be learnt; the last one: %v. Does the record section fit the input?", e.Topic, e.Rejected, e.Last)
}
