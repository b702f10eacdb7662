package format

import (
	"encoding/binary"

	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderBytes is the length of what a registry's serializer writes before a message: a zero, and the id of the schema, big-endian.
const HeaderBytes = 5

// SchemaID reads that header. The error is a *record.Rejection.
func SchemaID(value []byte) (id uint32, err error) {
	switch {
	case value == nil:
		return 0, &record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "a record without a value"}
	case len(value) < HeaderBytes || value[0] != 0:
		return 0, &record.Rejection{Reason: record.NoSchemaID, Offset: 0,
			Detail: "the value does not begin with the header of a schema registry, a zero byte and the schema's id: check record.format, or the serializer of the producer"}
	}
	return binary.BigEndian.Uint32(value[1:]), nil
}
