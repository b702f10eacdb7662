package monitor

import (
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// perComparison is how many counters a comparison has: the outcomes of both sides, then the records on neither and those without
// the attribute.
const (
	atVersus      = perGroup
	atNeither     = 2 * perGroup
	atUnknown     = 2*perGroup + 1
	perComparison = 2*perGroup + 2
)

// claim is the verdict on a comparison between looks, with everything that a step changes besides counters.
type claim struct {
	// Settings.
	condition fairness.Condition
	level     float64 // of the sequence
	alarmAt   float64 // the evidence at which the detector raises an alarm: the run length of this comparison

	// State: what a snapshot saves.
	detector fairness.Detector
	trials   [2]fairness.Trials // with Exact or Cluster: both sides in the order of their decisions

	// The last look.
	seen      [2]fairness.Trials   // what the sequence of the totals rests on
	stood     [2]fairness.Count    // the same where labelled decisions are weighed, else nothing
	paired    fairness.Differences // what that of the difference at equal time rests on
	status    fairness.Status      // that was told last
	changed   moment               // when the status became this one
	selective bool                 // labels come for one decision only, so that nothing is said about rates given the label

	alarm alarm
}

// weighed says whether the last look weighed the labelled decisions.
func (k *claim) weighed() bool { return k.stood[0].Records+k.stood[1].Records > 0 }

// alarm is raised when the detector's evidence reaches its run length, and again while the difference lasts.
type alarm struct {
	raised bool
	since  moment // when it was raised first
	last   int64  // the record at which it was raised last
}

// moment is when something happened: a number of records, and the event time in milliseconds, 0 if there is none.
type moment struct {
	record int64
	time   int64
}

// when is the event time of a moment.
func (t moment) when() time.Time {
	if t.time == 0 {
		return time.Time{}
	}
	return time.UnixMilli(t.time).UTC()
}

// comparison is a declared comparison as a monitor sees it.
type comparison struct {
	fairness.Comparison
	known bool // its groups are
}

// needsLabels says whether the criterion is about rates given the label.
func (c *comparison) needsLabels() bool { return c.Criterion.Condition() != fairness.AnyLabel }
