package cluster

import (
	"context"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Log is what a topic of the job's own is read and written with. Read and Retry try again by themselves as long as trying helps; their errors are
// final, or that of ctx. Append is a single attempt: after its error the messages may be in the log, or get there yet.
type Log interface {
	// Read gives the records of a partition from one offset to before another; see kafka.Client.Read.
	Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (next int64, err error)
	// Append writes messages to a partition as one batch and gives the offset of the first.
	Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) (offset int64, err error)
	// Retry runs attempt until it succeeds, fails for good or ctx ends.
	Retry(ctx context.Context, operation string, attempt func(context.Context) error) error
}

// Cluster is what a stream asks of Kafka. Kafka returns the real one; tests have one in memory, whose
// operations fail on command.
//
// Every call may be made from several goroutines. Calls other than Append try again by themselves as
// long as trying helps; their errors are final, or that of ctx.
type Cluster interface {
	Log
	// Topic describes a topic.
	Topic(ctx context.Context, name string) (kafka.TopicInfo, error)
	// Bounds gives the bounds of every partition, by number.
	Bounds(ctx context.Context, topic string) ([]kafka.Bounds, error)
	// OffsetsAt gives for every partition the first offset whose record is of that time or later.
	OffsetsAt(ctx context.Context, topic string, at time.Time) ([]int64, error)
	// ReadInput is Read for topics of other writers: it shows no record of a transaction that is open or was aborted.
	ReadInput(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (next int64, err error)
	// Fetch begins to read all partitions of a topic.
	Fetch(options kafka.FetchOptions) (Source, error)
	// Produce prepares writing many messages to a topic.
	Produce(ctx context.Context, topic string) (Sink, error)
	// Transact opens a transactional id. What an earlier process left open under it is aborted, and that process can
	// write no more, not even late.
	Transact(ctx context.Context, id string) (Transaction, error)
}

// Transaction writes to several topics at once: readers of committed records see all up to Commit, or nothing. After
// Commit the next one begins. Its calls try again by themselves, and nothing is written twice. It belongs to one
// goroutine.
type Transaction interface {
	Append(ctx context.Context, topic string, partition int32, messages ...kafka.Message) error
	Commit(ctx context.Context) error
}

// Source hands out what it reads of a topic.
type Source interface {
	// Next waits for records. Those of a partition come in order and without gap.
	Next(ctx context.Context) (*Delivery, error)
	// Hold stops reading a partition until a channel is closed, and then goes on from a place. What was fetched of it before still comes, with an
	// earlier Turn.
	Hold(from kafka.Place, until <-chan struct{})
	// Positions gives the bounds of every partition that is known.
	Positions() []kafka.Position
	// Close ends reading. Deliveries stay valid until released.
	Close()
}

// Sink writes messages in batches. It belongs to one goroutine.
type Sink interface {
	// Send copies a message into a batch, and may write a full one.
	Send(ctx context.Context, message *kafka.Message) error
	// Flush returns nil when every message sent is acknowledged.
	Flush(ctx context.Context) error
}

// Delivery is a stretch of one partition.
type Delivery struct {
	Partition int32
	ID        kafka.TopicID
	// First is the Next of the delivery before it, Next the offset to go on from once its records are
	// processed; -1 if the partition is gone.
	First, Next int64
	// Epoch is the leader epoch of the offset before Next; -1 if unknown.
	Epoch int32
	// Turn is how often the partition had been held when this was fetched.
	Turn int
	// End is the end of what can be read of the partition.
	End int64
	// Loss is set, and there are no records, where offsets are gone.
	Loss *kafka.DataLoss
	// Records decodes the next records, in offset order, on the calling goroutine; none when all were given.
	// They are valid until Release, which is called once. It waits for memory, which the release of older
	// deliveries makes. Only the first call may fail, but for ctx: the delivery cannot be used then.
	Records func(ctx context.Context) ([]kafka.Record, error)
	Release func()
	// Large says, after Records, that its memory is exceptional: no reference to it is to remain after Release.
	Large bool
}
