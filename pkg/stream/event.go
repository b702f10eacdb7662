package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// Event is something that happened to a stream. Logging and metrics receive events; this package itself logs nothing.
// No event contains a value of a record.
type Event interface{ event() }

// Owned: this process now owns the job.
type Owned struct {
	Claim Claim
	// Before is the claim of the previous owner; its Term is 0 if there was none.
	Before Claim
}

// Resumed: the learner continues from a snapshot.
type Resumed struct{ Snapshot SnapshotInfo }

// Begun: the job has no snapshot and starts from scratch, at these offsets.
type Begun struct{ Offsets map[int32]int64 }

// StateElsewhere: the newest weights of the job come from a state that is not on the state topic, for example because
// topics.state was changed. The job continues from the snapshot on the state topic, or starts from scratch if there is
// none, and publishes under a higher term. After a reset this event does not occur.
type StateElsewhere struct {
	Topics Topics
	// Version and Term are those of the newest weights.
	Version, Term int64
	// Snapshot says whether the state topic has a snapshot.
	Snapshot bool
}

// StableUnmoved: the alias stable points to a version, and this process does not move it: releases are switched off, or no version is stable in
// a state that began again. Readers stay with that version.
type StableUnmoved struct {
	Term, Version int64
	// Off says that release.enabled is false.
	Off bool
}

// ConfigChanged: the configuration differs from that of the snapshot, and the job continues with the new one.
type ConfigChanged struct{ Changes []history.Change }

// DecisionsChanged: a verdict on the decisions as they were made has changed, or an alarm was raised or has ended.
type DecisionsChanged observe.Changed

// MonitoringBegun: the comparisons or the section monitor changed, so the decisions are counted from this record on.
type MonitoringBegun struct{ Version int64 }

// HistoryDamaged: entries of the history topic are missing, altered or moved, or somebody else wrote them. The job continues, and an audit shows
// where.
type HistoryDamaged struct{ Topic, Problem string }

// Requested: the owner carried out a request of a person about releases, or refused it. What it changed is saved next.
type Requested struct {
	Request Request
	Answer  Answer
}

// Saved: a snapshot is on the state topic, and was read back before any newer claim, so a restart continues from it.
type Saved struct {
	Snapshot SnapshotInfo
	// Took is the time since the snapshot was copied from the learner; Parts is its number of messages.
	Took  time.Duration
	Parts int
}

// Released: a step of the releases has taken effect: it is saved, in the history, and the aliases are where it wants them.
type Released struct{ Step release.Step }

// ShareHalved: the stream brings more than release.rate records in a second, so the versions decide a share of them. The
// event occurs once.
type ShareHalved struct {
	Share float64 // of all records
	Rate  int64   // release.rate
}

// Withheld: weights were due, but are not published, because no verdict on the constraints is possible yet. The event
// occurs once.
type Withheld struct{ Reason string }

// Rejected: some records of a partition were rejected. It describes the first record of each reason.
type Rejected struct {
	Partition int32
	Offset    int64
	Count     int64 // since the last such event
	Err       error // why: field and reason, no value
}

// DataLost: offsets no longer exist, and learning continues without them.
type DataLost struct{ Loss *kafka.DataLoss }

// KafkaOutage: a Kafka operation fails and is retried, or succeeds again.
type KafkaOutage kafka.Outage

// Halted: the stream has stopped, because it cannot continue without a person. Err is the reason.
type Halted struct{ Err error }

// TopicsUnfit: a topic of the job is gone, or has settings that lose data, such as a state topic that is not compacted. Err is nil when all
// topics are right again.
type TopicsUnfit struct{ Err error }

// Draining: the stream received a signal to stop, or has reached the end of its input, and saves its state.
type Draining struct{ Reason string }

func (Owned) event()            {}
func (Resumed) event()          {}
func (Begun) event()            {}
func (StateElsewhere) event()   {}
func (StableUnmoved) event()    {}
func (ConfigChanged) event()    {}
func (HistoryDamaged) event()   {}
func (DecisionsChanged) event() {}
func (MonitoringBegun) event()  {}
func (Requested) event()        {}
func (Saved) event()            {}
func (Released) event()         {}
func (ShareHalved) event()      {}
func (Withheld) event()         {}
func (Rejected) event()         {}
func (DataLost) event()         {}
func (KafkaOutage) event()      {}
func (Halted) event()           {}
func (Draining) event()         {}
func (TopicsUnfit) event()      {}
func (OpenTransaction) event()  {}
func (StandingBy) event()       {}
func (TakingOver) event()       {}

// SavingStuck: something was learnt, and no save ended for three times stream.snapshot.interval and a minute. The process is not ready until one does.
type SavingStuck struct{ Reason string }

// SavingAgain: a save ended after SavingStuck.
type SavingAgain struct{ After time.Duration }

func (SavingStuck) event() {}
func (SavingAgain) event() {}
