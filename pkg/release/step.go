package release

import (
	"time"
)

// Step is something that happened, in the order of its number. The same records and commands always give the same steps.
type Step struct {
	Number int64 // from 1 on, without gaps
	Kind   StepKind
	// Version is what the step is about; zero for pause, resume and unpin.
	Version Version
	// From and To are the stable version before and after.
	From, To Version
	// Aliases are those after the step, and Moved says whether they differ from those before.
	Aliases Aliases
	Moved   bool
	// Gates are the evidence: those of the candidate, or of the stable version for an alarm and what follows from it.
	Gates  []Gate
	Reason string
	// Actor and Command are the person, and the identifier of the command. Both are empty if the machine took the step itself.
	Actor, Command string
	// Record is the number of the last record before the step, and Time the largest event time so far; zero if records have none.
	Record int64
	Time   time.Time
}

// StepKind is the kind of a step.
type StepKind string

// The kinds of steps.
const (
	Frozen     StepKind = "frozen"      // a version is the candidate: records from now on are evidence
	Promoted   StepKind = "promoted"    // a version is stable
	Rejected   StepKind = "rejected"    // a version will not be stable
	Superseded StepKind = "superseded"  // a version that waited was replaced by a newer one
	Alarm      StepKind = "alarm"       // the difference of the stable version has left tau
	AlarmEnded StepKind = "alarm_ended" // its recent records are within tau again
	// Violated: the verdict on a comparison of the stable version, about all its decisions since it is stable, has become violated, and ViolatedEnded:
	// it is violated no longer.
	Violated      StepKind = "violated"
	ViolatedEnded StepKind = "violated_ended"
	Withdrawn     StepKind = "withdrawn"   // the stable version is outside the limit, and an earlier one that is better is stable again
	Marked        StepKind = "marked"      // the stable version is outside the limit, and stays, because no earlier one is better
	Cleared       StepKind = "cleared"     // the records since the mark are within the limit
	RolledBack    StepKind = "rolled_back" // a person returned to an earlier version
	Paused        StepKind = "paused"      // no candidate becomes stable by itself
	Resumed       StepKind = "resumed"
	Pinned        StepKind = "pinned" // the stable version stays, whatever happens
	Unpinned      StepKind = "unpinned"
	Gone          StepKind = "gone"      // a document that the machine needs is no longer on the topic
	Restarted     StepKind = "restarted" // the evidence begins again, under other settings
)

// StepKinds are all kinds.
func StepKinds() []StepKind {
	return []StepKind{Frozen, Promoted, Rejected, Superseded, Alarm, AlarmEnded, Violated, ViolatedEnded, Withdrawn, Marked, Cleared, RolledBack, Paused, Resumed, Pinned, Unpinned, Gone, Restarted}
}
