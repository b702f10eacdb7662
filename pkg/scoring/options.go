package scoring

import (
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Options describe what is scored, and how.
type Options struct {
	// Kafka describes how to reach the cluster of both topics.
	Kafka kafka.Config
	// Job begins the transactional id and the consumer group; see Group. One process at a time may score a topic into
	// another for a job; a second one takes over.
	Job string
	// From is the topic of records, To the topic of decisions.
	From, To string
	// Models follows the documents that decide.
	Models *follow.Follower
	// Shadow follows documents that score too, without effect on the decision; nil: none. With Split it decides the
	// records whose key hashes into this share, in [0, 1].
	Shadow *follow.Follower
	Split  float64
	// Explore is the share of the negative decisions that are turned to positive; see the function Explore.
	Explore float64
	// Attributes puts those that the constraints of the document name into each decision, so that a monitor can compare
	// groups.
	Attributes bool
	// ID is the field that identifies a record, for documents that name none: those of before the job had record.id.
	ID string
	// Decoders make the decoders of records that are not JSON; nil: they are JSON. Each is for one goroutine.
	Decoders func(*record.Schema) Decoder
	// Latest starts at the end of the input where nothing is committed yet; otherwise scoring starts at its beginning.
	Latest bool
	// OnLoss is what happens if records to read next no longer exist.
	OnLoss kafka.LossPolicy
	// UntilEnd makes Run return once it has scored what was in the input when it began.
	UntilEnd bool
	// Workers decide; 0 means one for each processor.
	Workers int
	// CommitEvery is the longest time between two commits: decisions are visible so much later. Default 200 ms.
	CommitEvery time.Duration
	// Outage is told of each failure of Kafka that is tried again, and of its end, from several goroutines. nil: nobody is told.
	Outage func(kafka.Outage)
	// Notify is told of losses of data. nil: nobody is told.
	Notify func(*kafka.DataLoss)
	// Rejected is told of a record for each reason of rejection, and of its partition. nil: nobody is told.
	Rejected func(partition int32, rejection *record.Rejection)
}

// Decoder makes records of the messages of a topic, whatever they are written as.
type Decoder interface {
	// Decode fills dst from a message. The error is a *record.Rejection or a *Pending.
	Decode(dst *record.Record, message Message) error
	// Prepare begins to fetch what Decode of a message will need.
	Prepare(message Message)
	// Forget drops what the decoder still refers to of the last message.
	Forget()
}

// Message is a message as it was read from a topic. It holds until the call that it is given to returns.
type Message struct {
	// Value is nil for a tombstone.
	Value []byte
	// HeaderCount headers are in HeaderBytes as Kafka's format of records has them: of each, the length of its key, the key, the length of its value and
	// the value, with lengths as zigzag varints, and -1 for no value.
	HeaderCount int32
	HeaderBytes []byte
}

// Pending is the error of a message that cannot be decoded before something is there, such as its schema. The message and those behind it in its
// partition wait until Ready is closed; the other partitions go on.
type Pending struct{ Ready <-chan struct{} }

func (p *Pending) Error() string { return "the message cannot be decoded yet" }

func (o Options) withDefaults() Options {
	if o.CommitEvery <= 0 {
		o.CommitEvery = 200 * time.Millisecond
	}
	if o.Notify == nil {
		o.Notify = func(*kafka.DataLoss) {}
	}
	if o.Rejected == nil {
		o.Rejected = func(int32, *record.Rejection) {}
	}
	return o
}

func (o Options) validate() error {
	switch {
	case o.From == o.To:
		return fmt.Errorf("scoring: the decisions would go to topic %s, from which the records come", o.From)
	case o.Models == nil:
		return errors.New("scoring: no follower of documents")
	case !(o.Split >= 0 && o.Split <= 1):
		return fmt.Errorf("scoring: a split of %v is outside [0, 1]", o.Split)
	case o.Split > 0 && o.Shadow == nil:
		return errors.New("scoring: a split needs a shadow")
	}
	return CheckShare(o.Explore)
}

// Group is the transactional id of a job's scoring of one topic into another, and its consumer group.
func Group(job, from, to string) string { return "fairstream." + job + ".score." + from + "." + to }

func (o *Options) group() string { return Group(o.Job, o.From, o.To) }

// Status is how far scoring is.
type Status struct {
	// Scored records, and Rejected ones that could not be decoded, whose decisions are committed.
	Scored, Rejected int64
	// Explored are the scored records whose negative decision exploration turned to positive, and Anonymous those whose negative decision
	// it had to leave, because they have neither an identifier nor a key.
	Explored, Anonymous int64
	// Unread are the scored records with a value of another type than was learnt.
	Unread int64
	// Committed is the time of the last commit.
	Committed time.Time
	// Held is, with UntilEnd, the number of offsets of the input that could not be read when scoring began, because of a transaction that was open.
	Held int64
	// Next offsets of the input, by partition, as committed; Ends are the ends when the last records were fetched.
	Next, Ends map[int32]int64
}

// add adds counts.
func (s *Status) add(more *Status) {
	s.Scored, s.Rejected = s.Scored+more.Scored, s.Rejected+more.Rejected
	s.Explored, s.Anonymous = s.Explored+more.Explored, s.Anonymous+more.Anonymous
	s.Unread += more.Unread
}

// CheckShare returns an error for a number that is not a share.
func CheckShare(share float64) error {
	if share >= 0 && share <= 1 {
		return nil
	}
	if share > 1 && share < 100 {
		return fmt.Errorf("explore: the share %v is outside [0, 1]: write %v for %v per cent", share, share/100, share)
	}
	return fmt.Errorf("explore: the share %v is outside [0, 1]", share)
}
