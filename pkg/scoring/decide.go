package scoring

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/fairstream/fairstream/internal/decimals"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
	"github.com/fairstream/fairstream/pkg/record"
)

// appendJSONString writes text as JSON, whatever its bytes are.
func appendJSONString(line, text []byte) []byte {
	if isPlain(text) {
		line = append(append(line, '"'), text...)
		return append(line, '"')
	}
	quoted, _ := json.Marshal(string(text)) // a string always becomes JSON
	return append(line, quoted...)
}

// isPlain says whether text stands in JSON as it is.
func isPlain(text []byte) bool {
	for _, b := range text {
		if b < ' ' || b > '~' || b == '"' || b == '\\' {
			return false
		}
	}
	return true
}

// Decider decides by one document. It belongs to one goroutine.
type Decider struct {
	model      *follow.Model
	decoder    *record.Decoder // or
	messages   Decoder
	classifier *document.Classifier // or
	regressor  *document.Regressor
	tail       []byte   // of each decision: version and alias
	attributes [][]byte // "NAME":, of each attribute of the constraints
	record     record.Record
	key        []byte // of the message that was decided last; see Keyed
}

// Outcome is a document's decision or prediction about a record.
type Outcome struct {
	// Rejection is why the record cannot be decided; nil if it can.
	Rejection *record.Rejection
	// Score comes from the margin, or is the prediction of a regression.
	Score, Margin float64
	// Positive is the decision of a classifier; see Explore.
	Positive bool
	// Explored reports that exploration turned a negative decision to positive. Propensity is the probability of the decision, 0
	// without exploration.
	Explored   bool
	Propensity float64
	// Probability is that of the positive label; see Decider.GivesProbability.
	Probability float64
	// Unread names the columns whose values are of another type than was learnt, so that they had no part in the decision. It is valid
	// until the next record.
	Unread []string
}

// AppendUnread writes ,"unread":["age"], and nothing if every value was read.
func (o *Outcome) AppendUnread(line []byte) []byte {
	for i, name := range o.Unread {
		if i == 0 {
			line = append(line, `,"unread":[`...)
		} else {
			line = append(line, ',')
		}
		line = appendJSONString(line, []byte(name))
	}
	if o.Unread != nil {
		line = append(line, ']')
	}
	return line
}

// AppendExploration writes ,"explored":true,"propensity":…, without the first key if the decision is the model's own, and nothing without
// exploration.
func (o *Outcome) AppendExploration(line []byte) []byte {
	if o.Propensity == 0 {
		return line
	}
	if o.Explored {
		line = append(line, `,"explored":true`...)
	}
	return decimals.Append(append(line, `,"propensity":`...), o.Propensity)
}

// NewDecider loads a document, to decide the messages of a topic; follow has seen that this works.
func NewDecider(m *follow.Model) (*Decider, error) {
	schema, err := m.Document.Schema()
	if err != nil {
		return nil, err
	}
	return newDecider(m, schema)
}

// NewBareDecider is NewDecider for records that have no envelope, as in requests, whatever record.at says. id is the field that identifies a
// record where the document names none; empty: none does.
func NewBareDecider(m *follow.Model, id string) (*Decider, error) {
	schema, err := m.Document.Schema()
	if err != nil {
		return nil, err
	}
	return newDecider(m, schema.Bare().WithID(id))
}

func newDecider(m *follow.Model, schema *record.Schema) (d *Decider, err error) {
	d = &Decider{model: m, decoder: schema.NewDecoder()}
	for _, name := range m.Document.Config.Attributes() {
		d.attributes = append(d.attributes, append(appendJSONString(nil, []byte(name)), ':'))
	}
	if m.Document.Task == document.Regression {
		d.regressor, err = m.Document.Regressor()
	} else {
		d.classifier, err = m.Document.Classifier()
	}
	d.tail = append(d.tail, `,"version":`...)
	d.tail = strconv.AppendInt(d.tail, m.Version, 10)
	d.tail = append(d.tail, `,"term":`...)
	d.tail = strconv.AppendInt(d.tail, m.Term, 10)
	d.tail = append(d.tail, `,"alias":`...)
	d.tail = strconv.AppendQuote(d.tail, m.Alias)
	return d, err
}

// Of returns the decider of a document: d itself if it decides by that one, nil without a document.
func (d *Decider) Of(m *follow.Model) (*Decider, error) { return d.of(m, &Options{}) }

// of is Of, of messages that may have decoders of their own, and a field that identifies them.
func (d *Decider) of(m *follow.Model, o *Options) (*Decider, error) {
	switch {
	case m == nil:
		return nil, nil
	case d != nil && d.model == m:
		return d, nil
	}
	schema, err := m.Document.Schema()
	if err != nil {
		return nil, err
	}
	schema = schema.WithID(o.ID)
	made, err := newDecider(m, schema)
	if err == nil && o.Decoders != nil {
		made.messages = o.Decoders(schema)
	}
	return made, err
}

// Tail is the end of each decision: ,"version":…,"term":…,"alias":"…".
func (d *Decider) Tail() []byte { return d.tail }

// Decides reports whether the document decides, rather than predicting a number.
func (d *Decider) Decides() bool { return d.classifier != nil }

// GivesProbability reports whether outcomes have a probability.
func (d *Decider) GivesProbability() bool {
	return d.classifier != nil && d.classifier.GivesProbability()
}

// Forget drops all references to what was decided last.
func (d *Decider) Forget() {
	if d != nil {
		d.record, d.key = record.Record{}, nil
		d.decoder.Forget()
		if d.messages != nil {
			d.messages.Forget()
		}
	}
}

// Decide decides a record in JSON. The results of the methods below are valid until the next record.
func (d *Decider) Decide(value []byte) Outcome {
	if err := d.decoder.DecodeJSON(&d.record, value); err != nil {
		return Outcome{Rejection: err.(*record.Rejection)}
	}
	return d.decided()
}

// decide decides a message of a topic. While it cannot be decoded yet, ready is what will be closed then; else nil.
func (d *Decider) decide(message *kafka.Record) (decided Outcome, ready <-chan struct{}) {
	if d.messages == nil {
		return d.Decide(message.Value), nil
	}
	err := d.messages.Decode(&d.record, asMessage(message))
	if pending, ok := errors.AsType[*Pending](err); ok {
		return Outcome{}, pending.Ready
	}
	if rejected, ok := errors.AsType[*record.Rejection](err); ok {
		return Outcome{Rejection: rejected}, nil
	}
	return d.decided(), nil
}

// prepare begins to fetch what the messages of a topic need to be decided.
func (d *Decider) prepare(message *kafka.Record) {
	if d.messages != nil {
		d.messages.Prepare(asMessage(message))
	}
}

func asMessage(r *kafka.Record) Message { return Message{r.Value, r.HeaderCount, r.HeaderBytes} }

// decided is what the document says of the record.
func (d *Decider) decided() Outcome {
	if d.regressor != nil {
		predicted := d.regressor.Predict(&d.record)
		return Outcome{Score: predicted, Margin: predicted, Unread: d.regressor.Unread()}
	}
	decision := d.classifier.Decide(&d.record)
	return Outcome{Score: decision.Score, Margin: decision.Margin, Positive: decision.Positive, Probability: decision.Probability, Unread: d.classifier.Unread()}
}

// Keyed names the key of the record's message, for records that have neither the field of record.id nor that of record.key. It holds
// until it is called again. A key that is no text identifies nothing.
func (d *Decider) Keyed(key []byte) {
	if d.key = key; len(key) == 0 || !utf8.Valid(key) {
		d.key = nil
	}
}

// ID identifies the record: by its field of record.id, else by that of record.key, else by the key of its message; nil without all three.
func (d *Decider) ID() []byte {
	switch {
	case d.record.ID != nil:
		return d.record.ID
	case d.record.Key != nil:
		return d.record.Key
	}
	return d.key
}

// Attributes are those of the record, in the order of the document's constraints.
func (d *Decider) Attributes() []record.Value { return d.record.Attributes }

// append writes the decision of the record, with version, term and alias, or why it is rejected.
func (d *Decider) append(line []byte, o Outcome) []byte {
	if o.Rejection != nil {
		line = append(line, `"score":null`...)
		if d.Decides() {
			line = append(line, `,"decision":null`...)
		}
		line = append(line, `,"rejected":`...)
		return append(strconv.AppendQuote(line, string(o.Rejection.Reason)), d.tail...)
	}
	if id := d.ID(); id != nil {
		line = append(line, `"id":`...)
		line = appendJSONString(line, id)
		line = append(line, ',')
	}
	line = append(line, `"score":`...)
	line = decimals.Append(line, o.Score)
	if d.Decides() {
		line = append(line, `,"decision":0`...)
		if o.Positive {
			line[len(line)-1] = '1'
		}
		line = o.AppendExploration(line)
	}
	if d.GivesProbability() {
		line = decimals.Append(append(line, `,"probability":`...), o.Probability)
	}
	return append(o.AppendUnread(line), d.tail...)
}

// AppendDecision writes a decision as a JSON object that is open at its end, for the source: what this document decided and, with
// full, the attributes; beside it, what the shadow says, if there is one.
func (d *Decider) AppendDecision(line []byte, decided Outcome, full bool, shadow *Decider, beside Outcome) []byte {
	line = d.append(append(line, '{'), decided)
	if full && decided.Rejection == nil {
		line = d.appendAttributes(line)
	}
	if shadow != nil {
		line = shadow.append(append(line, `,"shadow":{`...), beside)
		line = append(line, '}')
	}
	return line
}

// appendAttributes writes the attributes of the record that was decided last, as far as it has them.
func (d *Decider) appendAttributes(line []byte) []byte {
	line = append(line, `,"attributes":{`...)
	begin := len(line)
	for i, name := range d.attributes {
		v := &d.record.Attributes[i]
		if v.Missing {
			continue
		}
		if len(line) > begin {
			line = append(line, ',')
		}
		line = appendJSONString(append(line, name...), v.Text)
	}
	return append(line, '}')
}

// InShare reports whether a record belongs to the share that the shadow decides, by its key. The same key always gets the same answer.
func InShare(share float64, key []byte) bool { return record.Sampled(share, key) }

// inShare is InShare for a record of a topic: by its key, else by its place.
func inShare(share float64, partition int32, r *kafka.Record) bool {
	if r.Key != nil {
		return InShare(share, r.Key)
	}
	return InShare(share, strconv.AppendInt(strconv.AppendInt(nil, int64(partition), 10), -r.Offset, 10))
}
