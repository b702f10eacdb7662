package deadletter

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Headers of a dead letter. Those of Kafka Connect are in the form of its DeadLetterQueueReporter, so
// that its tools understand them.
const (
	connectHeaders  = "__connect.errors."
	HeaderTopic     = "__connect.errors.topic"
	HeaderPartition = "__connect.errors.partition"
	HeaderOffset    = "__connect.errors.offset"
	HeaderConnector = "__connect.errors.connector.name"
	HeaderStage     = "__connect.errors.stage"
	HeaderClass     = "__connect.errors.class.name"
	HeaderException = "__connect.errors.exception.class.name"
	HeaderMessage   = "__connect.errors.exception.message"
	// HeaderReason holds the record.Reason, HeaderTopicID the ID of the topic: a topic that was made again has
	// the same name and offsets. It is missing if the broker has no topic IDs.
	HeaderReason  = "fairstream.error.code"
	HeaderTopicID = "fairstream.error.topic.id"
	// HeaderSchema is the schema that the record names, as format.SchemaOf has it. It is missing if the record names none.
	HeaderSchema = "fairstream.error.schema.id"

	stageValue     = "VALUE_CONVERTER"
	rejectingClass = "fairstream/pkg/record.Decoder"
	exceptionClass = "fairstream/pkg/record.Rejection"
)

// Letter is a copy of a rejected record, unchanged but for headers behind its own that say where it
// came from, why it was rejected, and which schema it names. They hold no value of the record.
func Letter(job, topic string, from Origin, source *kafka.Record, schema string, rejection error) kafka.Message {
	letter := source.Message()
	add := func(key, value string) {
		letter.Headers = append(letter.Headers, kafka.Header{Key: key, Value: []byte(value)})
	}
	add(HeaderTopic, topic)
	add(HeaderPartition, strconv.Itoa(int(from.Partition)))
	add(HeaderOffset, strconv.FormatInt(source.Offset, 10))
	add(HeaderConnector, job)
	add(HeaderStage, stageValue)
	add(HeaderClass, rejectingClass)
	add(HeaderException, exceptionClass)
	add(HeaderMessage, rejection.Error())
	add(HeaderReason, string(ReasonOf(rejection)))
	if from.Topic != (kafka.TopicID{}) {
		add(HeaderTopicID, from.Topic.String())
	}
	if schema != "" {
		add(HeaderSchema, schema)
	}
	return letter
}

// ReasonOf is the reason of a rejection.
func ReasonOf(rejection error) record.Reason {
	var known *record.Rejection
	if !errors.As(rejection, &known) {
		panic("deadletter: a rejection without a reason")
	}
	return known.Reason
}

// Mail is what a learner sends to the dead-letter topic; Flushed, if set, is closed when this and all
// mail before it is acknowledged.
type Mail struct {
	Letters []kafka.Message
	Flushed chan struct{}
}

// MailRoom is how much mail may wait. It is a parcel's rejected records at most that one mail holds.
const MailRoom = 8

// Deliver writes mail until ctx ends. As soon as none waits, what was written is flushed.
func Deliver(ctx context.Context, sink cluster.Sink, in <-chan Mail, acknowledged func(int)) error {
	for pending := 0; ; {
		var m Mail
		select {
		case m = <-in:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range m.Letters {
			if err := sink.Send(ctx, &m.Letters[i]); err != nil {
				return fmt.Errorf("dead letters: %w", err)
			}
		}
		pending += len(m.Letters)
		if m.Flushed == nil && len(in) > 0 {
			continue
		}
		if err := sink.Flush(ctx); err != nil {
			return fmt.Errorf("dead letters: %w", err)
		}
		acknowledged(pending)
		pending = 0
		if m.Flushed != nil {
			close(m.Flushed)
		}
	}
}
