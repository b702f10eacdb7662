package produce

import (
	"errors"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/record"
)

// keyer finds the key of the row that a reader is at.
type keyer struct {
	reader  input.Rows
	decoder *record.Decoder // nil if no field is a key
	record  record.Record
}

func newKeyer(reader input.Rows, schema *record.Schema) *keyer {
	k := &keyer{reader: reader}
	if c := schema.Config(); c.Key != "" || c.ID != "" {
		k.decoder = schema.NewDecoder()
	}
	return k
}

// key is nil for a record that has neither field, and for one that cannot be decoded. A record that lacks only its join key has been read
// to its end, so its identifier is known.
func (k *keyer) key() []byte {
	if k.decoder == nil {
		return nil
	}
	var rejection *record.Rejection
	if err := k.reader.Decode(k.decoder, &k.record); err != nil && !(errors.As(err, &rejection) && rejection.Reason == record.MissingKey) {
		return nil
	}
	if k.record.Key != nil {
		return k.record.Key
	}
	return k.record.ID
}
