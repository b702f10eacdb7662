package scoring

import (
	"strconv"

	"github.com/fairstream/fairstream/internal/kafka"
)

// HeaderSource is on every decision: topic/partition/offset of its record.
const HeaderSource = "fairstream.source"

// writer makes the messages of decisions. It belongs to one goroutine; a message is valid until the next.
type writer struct {
	topic   string
	quoted  []byte // of topic, as JSON
	full    bool   // with the attributes of the constraints
	explore float64
	line    []byte
	source  []byte
	headers [1]kafka.Header
}

func newWriter(o *Options) *writer {
	return &writer{topic: o.From, quoted: appendJSONString(nil, []byte(o.From)), full: o.Attributes, explore: o.Explore}
}

// message is the decision of a record: {"score":…,"decision":…,"probability":…,"version":…,"term":…,"alias":…,"source":{…}}, with
// "attributes" and "shadow" in front of the source if there are some.
// A record that is pending has none, and ready as in decide.
func (w *writer) message(partition int32, r *kafka.Record, decides, shadow *Decider) (m kafka.Message, decided Outcome, ready <-chan struct{}) {
	if decided, ready = decides.decide(r); ready != nil {
		return m, decided, ready
	}
	beside := Outcome{}
	if shadow != nil {
		if beside, ready = shadow.decide(r); ready != nil {
			return m, decided, ready
		}
	}
	decides.Keyed(r.Key)
	if shadow != nil {
		shadow.Keyed(r.Key)
	}
	if w.explore > 0 {
		id := decides.ID()
		if id == nil {
			id = r.Key
		}
		decided = Explore(w.explore, id, decided)
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
	return kafka.Message{Timestamp: r.Timestamp, Key: r.Key, Value: w.line, Headers: w.headers[:]}, decided, nil
}
