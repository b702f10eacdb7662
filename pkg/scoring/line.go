package scoring

import (
	"strconv"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderSource is on every decision: topic/partition/offset of its record.
const HeaderSource = "fairstream.source"

// writer makes the messages of decisions. It belongs to one goroutine; a message is valid until the next.
type writer struct {
	topic   string
	quoted  []byte // of topic, as JSON
	full    bool   // with the attributes of the constraints
	line    []byte
	source  []byte
	headers [1]kafka.Header
}

func newWriter(topic string, attributes bool) *writer {
	return &writer{topic: topic, quoted: appendJSONString(nil, []byte(topic)), full: attributes}
}

// message is the decision of a record: {"score":…,"decision":…,"probability":…,"version":…,"term":…,"alias":…,"source":{…}}, with
// "attributes" and "shadow" in front of the source if there are some.
func (w *writer) message(partition int32, r *kafka.Record, decides, shadow *Decider) (m kafka.Message, rejection *record.Rejection) {
	decided, beside := decides.Decide(r.Value), Outcome{}
	if shadow != nil {
		beside = shadow.Decide(r.Value)
	}
	w.line = decides.AppendDecision(w.line[:0], decided, w.full, shadow, beside)
	w.line = append(append(w.line, `,"source":{"topic":`...), w.quoted...)
	w.line = strconv.AppendInt(append(w.line, `,"partition":`...), int64(partition), 10)
	w.line = strconv.AppendInt(append(w.line, `,"offset":`...), r.Offset, 10)
	w.line = append(w.line, '}', '}')

	w.source = append(append(w.source[:0], w.topic...), '/')
	w.source = append(strconv.AppendInt(w.source, int64(partition), 10), '/')
	w.source = strconv.AppendInt(w.source, r.Offset, 10)
	w.headers[0] = kafka.Header{Key: HeaderSource, Value: w.source}
	return kafka.Message{Timestamp: r.Timestamp, Key: r.Key, Value: w.line, Headers: w.headers[:]}, decided.Rejection
}
