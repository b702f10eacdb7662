package stream

import "time"

// debt is what the learner owes to the state topic. The learner's goroutine notes it, and the watchdog looks at it, because all others may wait.
type debt struct {
	unsaved time.Time // since when something is learnt that no save covers; zero: all is covered
	saving  time.Time // since when what the save at hand covers was unsaved; zero: there is none
}

// since is when the oldest of what is not saved was learnt. Without an interval, only a save at hand must end.
func (d debt) since(interval time.Duration) time.Time {
	if !d.saving.IsZero() || interval == 0 {
		return d.saving
	}
	return d.unsaved
}

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
	fresh            bool // what would be published is not what was published last, or that is not known

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
func (c *clock) begin() { c.savedAt, c.publishedAt = c.now, c.now }

// process notes that something was processed.
func (c *clock) process() { c.dirty = true }

// snapshotDue says whether a snapshot is due. announcements wait for one, or steps of the releases do.
func (c *clock) snapshotDue(every Cadence, version int64, announcements, steps bool) bool {
	quiet := c.now.Sub(c.savedAt)
	return c.dirty && every.due(version-c.savedVersion, quiet) || quiet >= betweenNews && (c.dirty && announcements && quiet >= announceEvery || steps)
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
