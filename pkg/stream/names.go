package stream

import (
	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
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

// What internal/intake defines, and callers of this package need.
type (
	// RejectLimit is the share of rejected records above which a job stops.
	RejectLimit = intake.RejectLimit
	// LabelBuffer bounds the records that wait for their label.
	LabelBuffer = intake.LabelBuffer
	// LabelStatus is how a label buffer stands.
	LabelStatus = intake.LabelStatus
	// Ledger accounts for the records of one partition.
	Ledger = intake.Ledger
	// LeaderEpoch counts the leaders of a partition.
	LeaderEpoch = intake.LeaderEpoch
	// Tally counts records, and sums a hash of each one's offset.
	Tally = intake.Tally
	// TooManyRejected says that learning stopped because of RejectLimit.
	TooManyRejected = intake.TooManyRejected
)

// UnmatchedLabel is the reason of a label whose record is not waiting for it.
const UnmatchedLabel = intake.UnmatchedLabel

// Reasons lists every reason for which a stream rejects records.
func Reasons() []record.Reason { return intake.Reasons() }

// TallyOf is the tally of all offsets of a partition from one to before another.
func TallyOf(partition int32, from, to int64) Tally { return intake.TallyOf(partition, from, to) }

// OpenTransaction: records of a partition are written, and cannot be read until a transaction before them ends.
type OpenTransaction intake.OpenTransaction
