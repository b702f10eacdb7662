package document

import "github.com/fairstream/fairstream/pkg/record"

// Decider decides records that come as bytes. It belongs to one goroutine; a Document makes any number of them.
type Decider struct {
	classifier *Classifier
	decoder    *record.Decoder
	record     record.Record
}

// Decider returns what decides records by the document, as the job that learnt it reads them, but for record.at: they have no envelope. A document of a regression is an
// error.
func (d *Document) Decider() (*Decider, error) {
	classifier, err := d.Classifier()
	if err != nil {
		return nil, err
	}
	schema, err := d.Schema()
	if err != nil {
		return nil, err
	}
	return &Decider{classifier: classifier, decoder: schema.Bare().NewDecoder()}, nil
}

// DecideJSON decides a record that is one JSON object; it needs no label. The error is a *record.Rejection, which names the field and
// no value. text may be used again afterwards.
func (d *Decider) DecideJSON(text []byte) (Decision, error) {
	if err := d.decoder.DecodeJSON(&d.record, text); err != nil {
		return Decision{}, err
	}
	return d.classifier.Decide(&d.record), nil
}
