package stream

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
)

// Event is something that happened to a stream. Logging and metrics are listeners; nothing in this
// package logs. No event holds a value of a record.
type Event interface{ event() }

// Owned: this process is the owner of the job now.
type Owned struct {
	Claim Claim
	// Before is the claim that was in force; Term 0 if there was none.
	Before Claim
}

// Resumed: the learner goes on from a snapshot.
type Resumed struct{ Snapshot SnapshotInfo }

// Begun: the job has no snapshot and starts from scratch, at these offsets.
type Begun struct{ Offsets map[int32]int64 }

// StateElsewhere: the newest weights of the job come from a state that is not on the state topic, as when
// topics.state was changed. The job goes on from the snapshot that is there, or starts from scratch without one, and
// publishes under a higher term than theirs. After a reset this is not told.
type StateElsewhere struct {
	Topics Topics
	// Version and Term are those of the newest weights.
	Version, Term int64
	// Snapshot says whether there is one.
	Snapshot bool
}

// ConfigChanged: the job goes on with another configuration than that of its snapshot.
type ConfigChanged struct{ Changes []history.Change }

// HistoryDamaged: the history topic does not hold what it should. The job goes on, and an audit shows the
// place.
type HistoryDamaged struct{ Topic, Problem string }

// Saved: a snapshot is in the log, and counts.
type Saved struct {
	Snapshot SnapshotInfo
	// Took is the time from when it was taken, Parts in how many messages it is.
	Took  time.Duration
	Parts int
}

// Published: a weight document is on the model topic.
type Published struct {
	Version int64
	Term    int64
	SHA256  string
	Bytes   int
	// Measurements are those of the document.
	Measurements document.Measurements
}

// Withheld: weights would have been published, but it cannot be said yet whether the constraints are
// kept. It is told once.
type Withheld struct{ Reason string }

// Rejected: some records of a partition were rejected; for each reason, the first.
type Rejected struct {
	Partition int32
	Offset    int64
	Count     int64 // since the last such event
	Err       error // why: field and reason, no value
}

// DataLost: offsets are gone, and learning goes on without them.
type DataLost struct{ Loss *kafka.DataLoss }

// AliasRepaired: the alias latest pointed to an older document than the newest, and does not any more.
type AliasRepaired struct {
	Version, Term int64
	// Late is where it pointed to.
	Late Alias
}

// KafkaOutage: an operation fails and is tried again, or works again.
type KafkaOutage kafka.Outage

type Halted struct{ Err error }

// Draining: the stream was told to stop, or has reached the end, and saves what it has.
type Draining struct{ Reason string }

func (Owned) event()           {}
func (Resumed) event()         {}
func (Begun) event()           {}
func (StateElsewhere) event()  {}
func (ConfigChanged) event()   {}
func (HistoryDamaged) event()  {}
func (Saved) event()           {}
func (Published) event()       {}
func (Withheld) event()        {}
func (Rejected) event()        {}
func (DataLost) event()        {}
func (KafkaOutage) event()     {}
func (Halted) event()          {}
func (Draining) event()        {}
func (OpenTransaction) event() {}
func (AliasRepaired) event()   {}
func (StandingBy) event()      {}
func (TakingOver) event()      {}
