package produce

import (
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

// key is nil for a record without one, and for one that cannot be decoded.
func (k *keyer) key() []byte {
	if k.decoder == nil || k.reader.Decode(k.decoder, &k.record) != nil {
		return nil
	}
	if k.record.Key != nil {
		return k.record.Key
	}
	return k.record.ID
}
