package stream

import (
	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/observe"
)

// What internal/observe defines, and callers of this package need.
type (
	// Monitoring configures how decisions are monitored.
	Monitoring = observe.Monitoring
	// Given says where a record holds the decision of another model.
	Given = observe.Given
	// GivenDecision says which field holds a decision, and which value is positive.
	GivenDecision = observe.GivenDecision
	// GivenScore is a score, the probability of a positive label.
	GivenScore = observe.GivenScore
	// Monitored is what the monitor of one model knows. It is a copy.
	Monitored = observe.Monitored
)

// Reasons why a record with a given decision is rejected.
const (
	MissingDecision = observe.MissingDecision
	BadScore        = observe.BadScore
	MissingModel    = observe.MissingModel
)

// Ids of the decisions of a learner, and of the decisions on a topic of one model.
const (
	AsMade    = observe.AsMade
	OnlyModel = observe.OnlyModel
)

// Parts of a stream that learning does not need. A part that panics, hangs or cannot be restored is cut off until the process
// starts again.
const (
	PartMonitor  = observe.PartMonitor
	PartReleases = observe.PartReleases
	PartEvents   = chronicle.PartEvents
)

// DefaultMonitoring is the configuration of an empty section monitor.
func DefaultMonitoring() Monitoring { return observe.DefaultMonitoring() }

// PartStopped: a part is cut off until the process starts again; learning goes on without it.
type PartStopped struct{ isolate.Stopped }

func (PartStopped) event() {}

// partStopped tells of a part.
func (s *Stream) partStopped(stopped isolate.Stopped) {
	s.board.post(func(status *Status) {
		status.Stopped = append(status.Stopped[:len(status.Stopped):len(status.Stopped)], stopped)
	})
	s.options.Notify(PartStopped{stopped})
}
