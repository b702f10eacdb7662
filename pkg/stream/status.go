package stream

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/release"
)

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

// Phase is what a stream is doing.
type Phase string

// The phases. A stream that is halted or draining does not learn again.
const (
	PhaseStarting Phase = "starting" // claiming the job, restoring the learner
	PhaseStandby  Phase = "standby"  // following the owner, ready to take over
	PhaseLearning Phase = "learning"
	PhaseHalted   Phase = "halted"   // it will not go on by itself; see Status.Reason
	PhaseDraining Phase = "draining" // saving what there is
	PhaseEnded    Phase = "ended"
)

// Status is how a stream stands, for metrics and people. It is a copy.
type Status struct {
	Phase Phase
	// Reason says in words why it does not learn; empty while it does.
	Reason string
	Job    string
	Claim  Claim
	// Version is the number of records that count, and of labels that came after their record; Labelled is how many records
	// came with their label, or got it later.
	Version, Labelled int64
	// Rejected counts records by reason.
	Rejected map[string]int64
	// DeadLetters counts what this process wrote to the dead-letter topic and had acknowledged.
	DeadLetters int64
	// Partitions are those of the input.
	Partitions []PartitionStatus
	// Snapshot is the latest that counts, SnapshotTook how long it took to save. Sequence 0: none yet.
	Snapshot     SnapshotInfo
	SnapshotTook time.Duration
	// Published is the version of the latest weights, 0 if none were; PublishedAt is when.
	Published   int64
	PublishedAt time.Time
	// Measurements are those at version MeasuredVersion, at most a few seconds old, ten while the first records are held back; nil before the first.
	Measurements    *document.Measurements
	MeasuredVersion int64
	// Waits are the schemas that records wait for, the one that is awaited longest first.
	Waits []SchemaWait
	// Held are the partitions whose next record waits for one of them, by number. Nothing behind that record is learnt.
	Held []Held
	// Unfit are the schemas whose records became dead letters in the last hour, the newest first.
	Unfit []UnfitSchema
	// Useless says why the weights say nothing after the warm-up, and are not published; empty if they do.
	Useless string
	// Garbage is the number of records of the job on the state topic that cannot be read; see StateGarbage.
	Garbage int
	// Stuck says why nothing is saved although records were learnt; empty while saving works. See SavingStuck.
	Stuck string
	// Labels is the state of the label buffer, if the job has one.
	Labels *LabelStatus
	// Monitored is what is known of decisions, by model, at most a few seconds old; nil if they are not monitored.
	Monitored []*Monitored
	// Repeated is the number of decisions of other models that came again with the same identifier, and do not count.
	Repeated int64
	// Unmonitored is the number of decisions of models that are not monitored, because there are too many models.
	Unmonitored int64
	// Releases is what is known of the versions that are released, at most a few seconds old; nil if none are.
	Releases *release.Report
	// Stopped are the parts that are cut off: monitor, releases, events.
	Stopped []isolate.Stopped
	// Unmoved is where the alias stable pointed when the process began, if nobody had moved it: see StableUnmoved. It says nothing once a version
	// is stable in Releases. nil: nowhere.
	Unmoved *Alias
	// HistoryDamage is what this process last found wrong with the history of the job; empty: nothing. See HistoryDamaged.
	HistoryDamage string
}

// PartitionStatus is how far a partition was learnt.
type PartitionStatus struct {
	Ledger
	// LogStart and End bound what can be read; -1 while unknown.
	LogStart, End int64
	// Unstable is the number of offsets behind End that cannot be read until a transaction ends.
	Unstable int64
	// Newest is the time of the last record processed: its event time if there is one, else Kafka's.
	Newest time.Time
}

// Lag is the number of offsets still to be processed.
func (p PartitionStatus) Lag() int64 { return max(0, p.End-p.Next) }

// Behind is how old the last processed record is while there are others to process.
func (p PartitionStatus) Behind(now time.Time) time.Duration {
	if p.Lag() == 0 || p.Newest.IsZero() {
		return 0
	}
	return max(0, now.Sub(p.Newest))
}

// board is where the goroutines of a stream write what others may see.
type board struct {
	mutex  sync.Mutex
	status Status
	source cluster.Source // for the ends of partitions; nil before it is open
	debt   debt
}

// post changes the status.
func (b *board) post(change func(*Status)) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	change(&b.status)
}

// enter changes the phase.
func (b *board) enter(phase Phase, reason string) {
	b.post(func(s *Status) { s.Phase, s.Reason = phase, reason })
}

// progress notes what the learner did to a partition.
func (b *board) progress(learner observe.Decider, ledger *Ledger, newest time.Time) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	s := &b.status
	s.Version, s.Labelled = learner.Version(), learner.Labelled()
	at, found := slices.BinarySearchFunc(s.Partitions, ledger.Partition, func(p PartitionStatus, number int32) int { return int(p.Partition - number) })
	if !found {
		s.Partitions = slices.Insert(s.Partitions, at, PartitionStatus{LogStart: -1, End: -1})
	}
	s.Partitions[at].Ledger = *ledger
	if !newest.IsZero() {
		s.Partitions[at].Newest = newest
	}
}

func (b *board) read() Status {
	b.mutex.Lock()
	s := b.status
	s.Partitions = slices.Clone(s.Partitions)
	s.Rejected = maps.Clone(s.Rejected)
	source := b.source
	b.mutex.Unlock()
	if source == nil {
		return s
	}
	for _, position := range source.Positions() {
		s.bound(position)
	}
	return s
}

// bound adds the ends of a partition, which may be one that nothing was learnt from yet.
func (s *Status) bound(position kafka.Position) {
	for i := range s.Partitions {
		if p := &s.Partitions[i]; p.Partition == position.Partition {
			p.LogStart, p.End, p.Unstable = position.LogStart, position.LastStable, position.HighWatermark-position.LastStable
			return
		}
	}
	if position.Next >= 0 {
		s.Partitions = append(s.Partitions, PartitionStatus{Ledger: Ledger{Partition: position.Partition, Next: position.Next},
			LogStart: position.LogStart, End: position.LastStable, Unstable: position.HighWatermark - position.LastStable})
	}
}

// owe notes what is not saved.
func (b *board) owe(d debt) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.debt = d
}
