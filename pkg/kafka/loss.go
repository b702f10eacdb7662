package kafka

import "fmt"

// Bounds of a partition's log: a record at every offset from Start to before End may be there.
type Bounds struct {
	Start int64
	// End is the last stable offset under read_committed, the high watermark under read_uncommitted: what can be read.
	End int64
	// Unstable is how many offsets from End on are written, and cannot be read until a transaction ends.
	Unstable int64
}

// LossPolicy says what a Fetcher does when records that it was to read are gone.
type LossPolicy string

const (
	// LossFails stops reading with a *DataLoss error.
	LossFails LossPolicy = "fail"
	// LossEarliest goes on at the beginning of the log.
	LossEarliest LossPolicy = "earliest"
	// LossLatest goes on at its end.
	LossLatest LossPolicy = "latest"
)

// LossPolicies lists them, for messages.
var LossPolicies = []LossPolicy{LossFails, LossEarliest, LossLatest}

// LossKind is how records were lost.
type LossKind string

const (
	// LossBelowStart: retention or DeleteRecords removed them before they were read.
	LossBelowStart LossKind = "below-log-start"
	// LossAboveEnd: the log ends before the offset; the brokers lost what was read, as after an unclean leader election.
	LossAboveEnd LossKind = "above-log-end"
	// LossReplaced: the log holds other records where some were read before, as after an unclean leader election whose new
	// log has grown beyond the offset.
	LossReplaced LossKind = "records-replaced"
	// LossRecreated: the topic was deleted and made again; offsets of the old one say nothing about the new.
	LossRecreated LossKind = "topic-recreated"
	// LossPartitionGone: the topic was made again with fewer partitions.
	LossPartitionGone LossKind = "partition-gone"
)

// DataLoss is a partition whose log no longer holds what was to be read next. It is an error under LossFails, and comes
// with a Chunk otherwise.
type DataLoss struct {
	Kind      LossKind
	Topic     string
	Partition int32
	Offset    int64 // that was to be read
	Bounds    Bounds
	// Lost is the number of offsets that were skipped (below the start), or that were read and are gone from the log
	// (above the end, or replaced); -1 if unknown.
	Lost int64
	// Kept is the offset up to which the log is as it was read, of LossReplaced.
	Kept   int64
	Resume int64 // where reading goes on; -1 if it does not
	// OldID and NewID of a topic that was made again.
	OldID, NewID TopicID
}

func (l *DataLoss) Error() string {
	const choose = "To go on without them, set stream.data_loss to earliest or latest; to start from scratch, `fairstream state reset`"
	at := fmt.Sprintf("%s/%d", l.Topic, l.Partition)
	switch l.Kind {
	case LossBelowStart:
		return fmt.Sprintf("%s: records are lost: offset %d was due, but the log begins at %d, so %d offsets are gone "+
			"(the topic's retention is shorter than the learner was away). %s", at, l.Offset, l.Bounds.Start, l.Lost, choose)
	case LossAboveEnd:
		return fmt.Sprintf("%s: the log was cut: offset %d was due, but the log ends at %d, so %d offsets that were read are "+
			"gone from it (an unclean leader election, or another cluster?). %s", at, l.Offset, l.Bounds.End, l.Lost, choose)
	case LossReplaced:
		return fmt.Sprintf("%s: records were replaced: %d offsets that were read, from %d on, are gone or belong to other records now "+
			"(an unclean leader election). To go on with the records that are there from %d on, set stream.data_loss to earliest; to begin again, "+
			"`fairstream state reset`", at, l.Lost, l.Kept, l.Kept)
	case LossPartitionGone:
		return fmt.Sprintf("%s: the partition is gone: the topic was made again with fewer partitions (id %s, now %s). %s", at, l.OldID, l.NewID, choose)
	default:
		return fmt.Sprintf("%s: the topic was deleted and made again (id %s, now %s): offset %d belongs to the old one. %s", at, l.OldID, l.NewID, l.Offset, choose)
	}
}

// Apply sets where reading goes on, and what was lost on the way.
func (l *DataLoss) Apply(policy LossPolicy) {
	switch {
	case l.Kind == LossPartitionGone, policy == LossFails:
		l.Resume = -1
	case policy == LossEarliest && l.Kind == LossReplaced:
		l.Resume = l.Kept
	case policy == LossEarliest:
		l.Resume = l.Bounds.Start
	default:
		l.Resume = l.Bounds.End
	}
	switch l.Kind {
	case LossBelowStart:
		l.Lost = max(l.Bounds.Start, l.Resume) - l.Offset
	case LossAboveEnd:
		l.Lost = l.Offset - l.Bounds.End
	case LossReplaced:
		l.Lost = l.Offset - l.Kept
	default:
		l.Lost = -1
	}
}
