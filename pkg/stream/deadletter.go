package stream

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
	headerTopic     = "__connect.errors.topic"
	headerPartition = "__connect.errors.partition"
	headerOffset    = "__connect.errors.offset"
	headerConnector = "__connect.errors.connector.name"
	headerStage     = "__connect.errors.stage"
	headerClass     = "__connect.errors.class.name"
	headerException = "__connect.errors.exception.class.name"
	headerMessage   = "__connect.errors.exception.message"
	// HeaderReason holds the record.Reason, HeaderTopicID the ID of the topic: a topic that was made again has
	// the same name and offsets. It is missing if the broker has no topic IDs.
	HeaderReason  = "fairstream.error.code"
	HeaderTopicID = "fairstream.error.topic.id"

	stageValue     = "VALUE_CONVERTER"
	rejectingClass = "fairstream/pkg/record.Decoder"
	exceptionClass = "fairstream/pkg/record.Rejection"
)

// deadLetter is a copy of a rejected record, unchanged but for headers behind its own that say where it
// came from and why it was rejected. They hold no value of the record.
func deadLetter(job, topic string, from origin, source *kafka.Record, rejection error) kafka.Message {
	letter := source.Message()
	add := func(key, value string) {
		letter.Headers = append(letter.Headers, kafka.Header{Key: key, Value: []byte(value)})
	}
	add(headerTopic, topic)
	add(headerPartition, strconv.Itoa(int(from.partition)))
	add(headerOffset, strconv.FormatInt(source.Offset, 10))
	add(headerConnector, job)
	add(headerStage, stageValue)
	add(headerClass, rejectingClass)
	add(headerException, exceptionClass)
	add(headerMessage, rejection.Error())
	add(HeaderReason, string(reasonOf(rejection)))
	if from.topic != (kafka.TopicID{}) {
		add(HeaderTopicID, from.topic.String())
	}
	return letter
}

// reasonOf is the reason of a rejection.
func reasonOf(rejection error) record.Reason {
	var known *record.Rejection
	if !errors.As(rejection, &known) {
		panic("stream: a rejection without a reason")
	}
	return known.Reason
}

// UnmatchedLabel is the reason of a label whose record is not waiting for it: it never came, was
// overtaken by its label, or gave way to newer ones in a full label buffer.
const UnmatchedLabel record.Reason = "unmatched_label"

// Reasons lists every reason for which a stream rejects records.
func Reasons() []record.Reason { return append(record.Reasons(), UnmatchedLabel) }

// aboutSchema says whether a rejection counts for RejectLimit. A tombstone is somebody's wish to delete,
// and an unmatched label is a matter of timing: any number of them says nothing about the schema.
func aboutSchema(reason record.Reason) bool {
	return reason != record.Tombstone && reason != UnmatchedLabel
}

// mail is what the learner sends to the dead-letter topic; flushed, if set, is closed when this and all
// mail before it is acknowledged.
type mail struct {
	letters []kafka.Message
	flushed chan struct{}
}

// mailRoom is how much mail may wait. It is a parcel's rejected records at most that one mail holds.
const mailRoom = 8

// deliver writes mail until ctx ends. As soon as none waits, what was written is flushed.
func deliver(ctx context.Context, sink cluster.Sink, in <-chan mail, acknowledged func(int)) error {
	for pending := 0; ; {
		var m mail
		select {
		case m = <-in:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range m.letters {
			if err := sink.Send(ctx, &m.letters[i]); err != nil {
				return fmt.Errorf("dead letters: %w", err)
			}
		}
		pending += len(m.letters)
		if m.flushed == nil && len(in) > 0 {
			continue
		}
		if err := sink.Flush(ctx); err != nil {
			return fmt.Errorf("dead letters: %w", err)
		}
		acknowledged(pending)
		pending = 0
		if m.flushed != nil {
			close(m.flushed)
		}
	}
}
