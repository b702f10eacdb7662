package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/owner"
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

// Resumed: the learner continues from a snapshot. Given is the SHA-256 of the file of Options.StartFrom, which the job began from: neither it nor its offsets have an
// effect again. It is empty without.
type Resumed struct {
	Snapshot SnapshotInfo
	Given    string
}

// Begun: the job has no snapshot and starts at these offsets: from the file of Options.StartFrom, which has the SHA-256 From, or else from scratch. TooLate says that it was to start
// at a time, and no record is as late, so that all of them are passed over.
type Begun struct {
	Offsets map[int32]int64
	From    string
	TooLate bool
}

// WaitingLost: so many records that waited for their label are no longer on their topic, for example because it was deleted. They are never
// learnt, and counted. Cut says that the topic had lost its end, so that records may wait again whose label was learnt.
type WaitingLost struct {
	Topic   string
	Records int64
	Cut     bool
}

// WaitingRemade: the topic of the records that wait for their label was deleted and made again, or lost its end. All that wait were written to it, so many.
type WaitingRemade struct {
	Topic   string
	Records int64
}

// WaitingUnseen: for some time, Kafka has not said how the topic of the records that wait for their label is, for example because it was deleted or its rights
// changed; Err is why, or nil once Kafka says it again. What waits is kept meanwhile, and saving may have to wait.
type WaitingUnseen struct {
	Topic string
	Err   error
}

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
func (WaitingLost) event()      {}
func (WaitingRemade) event()    {}
func (WaitingUnseen) event()    {}
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
func (PartitionHeld) event()    {}
func (StandingBy) event()       {}
func (TakingOver) event()       {}

// SavingStuck: something was learnt, and no save ended for three times stream.snapshot.interval and a minute. The process is not ready until one does.
type SavingStuck struct{ Reason string }

// SavingAgain: a save ended after SavingStuck.
type SavingAgain struct{ After time.Duration }

func (SavingStuck) event() {}
func (SavingAgain) event() {}

// Published: a weight document is on the model topic.
type Published modeltopic.Published

// AliasRepaired: an alias was moved or overwritten by somebody else, and points again where the owner of the job wants it: latest to the
// newest document, those of releases to what the state says.
type AliasRepaired modeltopic.AliasRepaired

// Outranked: an alias was moved in the name of an owner with a higher term than this process has. Readers ignore what this process moves
// until it is started again, which takes a term above.
type Outranked modeltopic.Outranked

// ModelRefused: a record on the model topic does not count: it is damaged, late or not signed by a trusted key.
type ModelRefused modeltopic.Refused

// DocumentRestored: a late publication of an earlier owner, or somebody else, deleted or overwrote a document that an alias points to or that
// releases need, and the document was written again.
type DocumentRestored modeltopic.DocumentRestored

// AliasWithoutDocument: an alias points to a document that is not on the model topic.
type AliasWithoutDocument modeltopic.AliasWithoutDocument

// ModelsRemade: the model topic was deleted and made again, or cut. The owner wrote again what it holds: the newest document, those
// that aliases point to or releases need, and the aliases. Missing counts the other documents, which are gone.
type ModelsRemade modeltopic.Remade

func (Published) event()            {}
func (AliasRepaired) event()        {}
func (Outranked) event()            {}
func (ModelRefused) event()         {}
func (DocumentRestored) event()     {}
func (AliasWithoutDocument) event() {}
func (ModelsRemade) event()         {}

// PartStopped: a part is cut off until the process starts again; learning goes on without it.
type PartStopped struct{ isolate.Stopped }

func (PartStopped) event() {}

// OpenTransaction: records of a partition are written, and cannot be read until a transaction before them ends.
type OpenTransaction intake.OpenTransaction

// PartitionHeld: the next record of a partition has waited 10 seconds for its schema.
type PartitionHeld struct {
	Held
	// Cause is why the schema is not there: what the registry answered, or that it did not; nil if nothing is known.
	Cause error
}

// StateGarbage: the state topic holds garbage. It has no effect; `fairstream state prune` deletes it.
type StateGarbage struct {
	Topic string
	owner.Garbage
}

func (StateGarbage) event() {}

// StandingBy: another process owns the job, and this one would take over.
type StandingBy struct {
	// Owner is the one that is followed. It may give no signs of life: see Claim.BeatMillis.
	Owner Claim
	// Timeout is how long it may be silent.
	Timeout time.Duration
}

// TakingOver: the owner is silent, or leaves.
type TakingOver struct {
	Owner   Claim
	Silent  time.Duration
	Leaving bool
}
