package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderBytes is the length of what a registry's serializer writes before a message: a zero, and the id of the schema, big-endian.
const HeaderBytes = 5

// SchemaID reads that header. The error is a *record.Rejection. An id that no registry can give is refused here: Apicurio answers a request for it as
// one for a page that it does not have, and its record would wait for ever.
func SchemaID(value []byte) (id uint32, err error) {
	switch {
	case value == nil:
		return 0, &record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "a record without a value"}
	case len(value) < HeaderBytes || value[0] != 0:
		return 0, &record.Rejection{Reason: record.NoSchemaID, Offset: 0,
			Detail: "the value does not begin with the header of a schema registry, a zero byte and the schema's id: check record.format, or the serializer of the producer"}
	}
	if id = binary.BigEndian.Uint32(value[1:]); id > math.MaxInt32 {
		return 0, &record.Rejection{Reason: record.UnknownSchema, Offset: 1, Detail: fmt.Sprintf(
			"schema id %d: no registry gives ids above %d, so the producer did not get it from one", id, math.MaxInt32)}
	}
	return id, nil
}

// HeaderID is the id in that header, as text, whether or not a registry can give it; "" without the header.
func HeaderID(value []byte) string {
	if len(value) < HeaderBytes || value[0] != 0 {
		return ""
	}
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(value[1:])), 10)
}
