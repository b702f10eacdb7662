package monitor

import (
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Change is the kind of an event.
type Change string

// The kinds of events.
const (
	VerdictChanged Change = "verdict"     // the verdict of the sequence has changed; see fairness.Comparison.Settled
	AlarmRaised    Change = "alarm"       // the detector found that the difference has left [−tau, tau]
	AlarmEnded     Change = "alarm_ended" // the recent records are within tau again
)

// Changes are all kinds.
func Changes() []Change { return []Change{VerdictChanged, AlarmRaised, AlarmEnded} }

// Event is a change that a person should know. The same decisions always give the same events with the same numbers, so that
// Number identifies an event of a subject since it began, also after a restart.
type Event struct {
	Number int64 // from 1 on, without gaps
	Kind   Change
	// Comparison is the index of the comparison in Report.Comparisons.
	Comparison int
	// Record is the number of records when it happened, and Time the event time then; zero if records have none.
	Record int64
	Time   time.Time
	// From and To are verdicts, and Value, Lo and Hi the sequence, of VerdictChanged.
	From, To      fairness.Status
	Value, Lo, Hi float64
	// Evidence is that of AlarmRaised.
	Evidence float64
}

// mostEvents is how many events are kept, the newest.
const mostEvents = 256

// events are the newest events.
type events struct {
	total int64 // also those no longer kept
	kept  []event
}

type event struct {
	kind          Change
	comparison    int
	at            moment
	from, to      fairness.Status
	value, lo, hi float64
	evidence      float64
}

func (e *events) add(one event) {
	if e.kept == nil {
		e.kept = make([]event, 0, mostEvents)
	}
	if len(e.kept) == mostEvents {
		copy(e.kept, e.kept[1:])
		e.kept = e.kept[:mostEvents-1]
	}
	e.kept = append(e.kept, one)
	e.total++
}
