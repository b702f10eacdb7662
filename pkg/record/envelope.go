package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-faster/jx"
)

// At is where a message holds the record: the name of an envelope, or the dotted path of an object. Empty: the message is the record.
type At string

// The envelopes.
const (
	Debezium    At = "debezium"
	Connect     At = "connect"
	CloudEvents At = "cloudevents"
)

// path is the way to the record, from the outside in.
func (a At) path() []string {
	switch a {
	case "":
		return nil
	case Connect:
		return []string{"payload"}
	}
	return strings.Split(string(a), ".")
}

func (v *validation) at(a At) {
	if slices.Contains(a.path(), "") {
		v.add("record.at", "%q has an empty name: give debezium, connect, cloudevents or a dotted path such as payload.after", a)
	}
	if len(a) > MaxNameBytes {
		v.add("record.at", "longer than %d bytes: no record can hold it", MaxNameBytes)
	}
}

// Bare returns a schema that shares everything with s and takes every message as the record itself, whatever Config.At says: a request
// has no envelope.
func (s *Schema) Bare() *Schema {
	bare := *s
	bare.at, bare.path, bare.within = "", nil, nil
	return &bare
}

// What is looked for in envelopes.
var (
	ofDebezium   = []string{"op", "after", "source", "payload"}
	ofCloudEvent = []string{"specversion", "data", "data_base64"}
	ofSource     = []string{"snapshot"}
)

// open returns the part of a message in JSON that is the record, which may be no object.
func (d *Decoder) open(data span) (span, error) {
	switch d.schema.at {
	case "":
		return data, nil
	case Debezium:
		return d.openDebezium(data)
	case CloudEvents:
		return d.openCloudEvent(data)
	}
	path := d.schema.path
	for i := range path {
		found, err := d.look(data, path[i:i+1])
		if err != nil {
			return nil, err
		}
		if data = found[0]; data.absent() {
			if d.schema.at == Connect && data != nil {
				return nil, tombstone("the payload is null")
			}
			return nil, notEnveloped(strings.Join(path[:i+1], "."), "absent or null")
		}
	}
	return data, nil
}

// openDebezium opens a change event. Its op is c, r or u where the row is in after, and d or t where there is none.
func (d *Decoder) openDebezium(data span) (span, error) {
	found, err := d.look(data, ofDebezium)
	if err != nil {
		return nil, err
	}
	if payload := found[3]; payload != nil && found[0] == nil { // Kafka Connect put its schema beside the event
		if payload.null() {
			return nil, tombstone("the payload is null")
		}
		if found, err = d.look(payload, ofDebezium); err != nil {
			return nil, err
		}
	}
	op, after, source := found[0], found[1], found[2]
	switch string(op) {
	case `"c"`, `"r"`, `"u"`:
	case `"d"`, `"t"`:
		return nil, deleted()
	default:
		return nil, notEnveloped("op", "not c, r, u, d or t, so this is no event of Debezium about a row")
	}
	if after.absent() {
		return nil, notEnveloped("after", "absent or null")
	}
	d.record.Snapshot = string(op) == `"r"`
	if source != nil && source[0] == '{' {
		if found, err = d.look(source, ofSource); err != nil {
			return nil, err
		}
		d.record.Snapshot = d.record.Snapshot || !found[0].absent() && string(found[0]) != "false" && string(found[0]) != `"false"`
	}
	return after, nil
}

// openCloudEvent opens an event in structured mode. What has no specversion is the data of an event in binary mode, whose attributes are
// headers.
func (d *Decoder) openCloudEvent(data span) (span, error) {
	found, err := d.look(data, ofCloudEvent)
	switch {
	case err != nil:
		return nil, err
	case found[0] == nil:
		return data, nil
	case found[2] != nil:
		return nil, notEnveloped("data", "the data of the event is binary (data_base64)")
	case found[1].absent():
		return nil, notEnveloped("data", "absent or null")
	}
	return found[1], nil
}

// envelope is what a decoder finds in the object around a record.
type envelope struct {
	wanted []string // names of members
	found  [4]span  // those members, in the order of wanted
	size   int      // capacity of the message
	member func(*jx.Decoder, []byte) error
}

// span is a value in JSON; nil if the object has none.
type span []byte

func (s span) null() bool   { return string(s) == "null" }
func (s span) absent() bool { return s == nil || s.null() }

// look finds members of the object in data. The others are passed over.
func (d *Decoder) look(data span, wanted []string) (found [4]span, err error) {
	e := &d.envelope
	if e.member == nil {
		e.member = e.take // made once: making one allocates
	}
	e.wanted, e.found = wanted, [4]span{}
	d.json.ResetBytes(data)
	if d.json.Next() != jx.Object {
		return found, e.shifted(data, notAnObject(data))
	}
	if err = d.json.ObjBytes(e.member); err == nil {
		if err = d.json.Skip(); err == io.EOF { // anything else is one thing too many
			return e.found, nil
		}
		return found, e.shifted(data, malformedJSON(data))
	}
	if rejection, ok := errors.AsType[*Rejection](err); ok {
		return found, rejection
	}
	return found, e.shifted(data, malformedJSON(data))
}

// shifted is the rejection of a part of the message, whose offset counts from the beginning of the message.
func (e *envelope) shifted(part span, err error) error {
	if rejection, ok := err.(*Rejection); ok && rejection.Offset >= 0 {
		rejection.Offset += e.size - cap(part)
	}
	return err
}

func (e *envelope) take(j *jx.Decoder, key []byte) error {
	for i, name := range e.wanted {
		if name != string(key) {
			continue
		}
		if e.found[i] != nil {
			return &Rejection{Reason: DuplicateField, Field: name, Offset: -1, Detail: "the envelope has it twice"}
		}
		value, err := j.Raw()
		e.found[i] = span(bytes.TrimLeft(value, blanks))
		return err
	}
	return j.Skip()
}

// deleted rejects an event that takes a row away.
func deleted() error {
	return &Rejection{Reason: Deleted, Offset: -1, Detail: "the event deletes rows, and what was learnt from them stays"}
}

// notEnveloped rejects a message that holds no record where record.at says.
func notEnveloped(field, detail string) error {
	return &Rejection{Reason: NotEnveloped, Field: field, Offset: -1, Detail: detail + "; record.at says where a message holds its record"}
}

// Enveloped guesses from a message in JSON where messages like it hold their record; empty if the message seems to be the record.
func Enveloped(message []byte) At {
	if object, found := afterRegistryHeader(message); found {
		message = object
	}
	members := membersOf(message)
	switch payload := membersOf(members["payload"]); {
	case isChange(members) || isChange(payload):
		return Debezium
	case members["specversion"] != nil && members["type"] != nil && members["source"] != nil:
		return CloudEvents
	case len(members) == 2 && members["schema"] != nil && payload != nil:
		return Connect
	}
	return ""
}

func isChange(members map[string]json.RawMessage) bool {
	_, after := members["after"]
	_, before := members["before"]
	return members["op"] != nil && members["source"] != nil && (after || before)
}

func membersOf(object []byte) (members map[string]json.RawMessage) {
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	return members
}
