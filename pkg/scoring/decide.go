package scoring

import (
	"encoding/json"
	"strconv"

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

// decider decides by one document. It belongs to one goroutine.
type decider struct {
	model      *follow.Model
	decoder    *record.Decoder
	classifier *document.Classifier // or
	regressor  *document.Regressor
	tail       []byte   // of each decision: version and alias
	attributes [][]byte // "NAME":, of each attribute of the constraints
	record     record.Record
}

// newDecider loads a document; follow has seen that this works.
func newDecider(m *follow.Model) (*decider, error) {
	schema, err := m.Document.Schema()
	if err != nil {
		return nil, err
	}
	d := &decider{model: m, decoder: schema.NewDecoder()}
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

// of returns the decider of a document: d itself if it decides by that one, nil without a document.
func (d *decider) of(m *follow.Model) (*decider, error) {
	switch {
	case m == nil:
		return nil, nil
	case d != nil && d.model == m:
		return d, nil
	}
	return newDecider(m)
}

// forget drops all references to what was decided last.
func (d *decider) forget() {
	if d != nil {
		d.record = record.Record{}
		d.decoder.Forget()
	}
}

// append writes score, decision, probability, version, term and alias of a record, or why it is rejected.
func (d *decider) append(line, value []byte) (_ []byte, rejection *record.Rejection) {
	if err := d.decoder.DecodeJSON(&d.record, value); err != nil {
		rejection = err.(*record.Rejection)
		line = append(line, `"score":null`...)
		if d.classifier != nil {
			line = append(line, `,"decision":null`...)
		}
		line = append(line, `,"rejected":`...)
		return append(strconv.AppendQuote(line, string(rejection.Reason)), d.tail...), rejection
	}
	id := d.record.ID
	if id == nil {
		id = d.record.Key
	}
	if id != nil {
		line = append(line, `"id":`...)
		line = appendJSONString(line, id)
		line = append(line, ',')
	}
	line = append(line, `"score":`...)
	if d.regressor != nil {
		line = strconv.AppendFloat(line, d.regressor.Predict(&d.record), 'g', -1, 64)
		return append(line, d.tail...), nil
	}
	decision := d.classifier.Decide(&d.record)
	line = strconv.AppendFloat(line, decision.Score, 'g', -1, 64)
	line = append(line, `,"decision":0`...)
	if decision.Positive {
		line[len(line)-1] = '1'
	}
	if d.classifier.GivesProbability() {
		line = strconv.AppendFloat(append(line, `,"probability":`...), decision.Probability, 'g', -1, 64)
	}
	return append(line, d.tail...), nil
}

// appendAttributes writes the attributes of the record that was decided last, as far as it has them.
func (d *decider) appendAttributes(line []byte) []byte {
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

// inShare says whether a record belongs to the share that the shadow decides: by its key, else by its place.
func inShare(share float64, partition int32, r *kafka.Record) bool {
	if r.Key != nil {
		return record.Sampled(share, r.Key)
	}
	return record.Sampled(share, strconv.AppendInt(strconv.AppendInt(nil, int64(partition), 10), -r.Offset, 10))
}
