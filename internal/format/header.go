package format

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// HeaderBytes is the length of what a registry's serializer writes before a message: a zero, and the id of the schema, big-endian.
const HeaderBytes = 5

// guidBytes is the length of the other way to name a schema: a one, and the schema's GUID.
const guidBytes = 17

// ValueSchema is the header of Kafka in which newer serializers of Confluent name the schema of a value, in place of before the value.
const ValueSchema = "__value_schema_id"

// apicurio is the header of Apicurio's serializers, whose number is not that of Confluent's API.
const apicurio = "apicurio.value."

// ID identifies a schema: by the number that a registry gave it, or by its GUID, which all registries have in common.
type ID struct {
	guid   [16]byte
	number uint32
	global bool
}

// NumberID is the ID of a number.
func NumberID(number uint32) ID { return ID{number: number} }

// Number is the number; is is false for a GUID.
func (id ID) Number() (number uint32, is bool) { return id.number, !id.global }

// String is the number or the GUID as text.
func (id ID) String() string {
	if !id.global {
		return strconv.FormatUint(uint64(id.number), 10)
	}
	g := id.guid[:]
	text := hex.AppendEncode(nil, g[:4])
	for _, part := range [][]byte{g[4:6], g[6:8], g[8:10], g[10:]} {
		text = hex.AppendEncode(append(text, '-'), part)
	}
	return string(text)
}

// Name is how people are told of the schema.
func (id ID) Name() string {
	if id.global {
		return "schema GUID " + id.String()
	}
	return "schema id " + id.String()
}

// Named is how a message names its schema.
type Named struct {
	ID ID
	// Rest is what follows the ID: the rest of the value, or of the header of Kafka that has the ID.
	Rest []byte
	// At is where Rest begins in the value; 0 if it is of a header: the whole value is the message then.
	At int
}

// readID reads a zero and a number, or a one and a GUID, and returns how many bytes it takes; 0: it is neither.
func readID(b []byte) (id ID, size int) {
	switch {
	case len(b) >= HeaderBytes && b[0] == 0:
		return NumberID(binary.BigEndian.Uint32(b[1:])), HeaderBytes
	case len(b) >= guidBytes && b[0] == 1:
		return ID{guid: [16]byte(b[1:guidBytes]), global: true}, guidBytes
	}
	return id, 0
}

// SchemaID reads how a message names its schema, in the header ValueSchema or else before the value. The error is a *record.Rejection. A number that no
// registry can give is refused here: Apicurio answers a request for one above 2^31-1 as one for a page that it does not have, and its record would wait
// for ever.
func SchemaID(message *kafka.Record) (n Named, err error) {
	if message.Value == nil {
		return n, &record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "a record without a value"}
	}
	head, apart := message.Header(ValueSchema)
	if !apart {
		head = message.Value
	}
	id, size := readID(head)
	switch {
	case size != 0 && !apart:
		n = Named{id, head[size:], size}
	case size != 0:
		n = Named{id, head[size:], 0}
	case apart:
		return n, &record.Rejection{Reason: record.NoSchemaID, Offset: -1,
			Detail: "the header " + ValueSchema + " contains neither the id of a schema nor a GUID: check the serializer of the producer"}
	default:
		return n, noID(message)
	}
	if why := never(id); why != "" {
		return n, &record.Rejection{Reason: record.UnknownSchema, Offset: -1, Detail: id.Name() + ": " + why}
	}
	return n, nil
}

// never says why no registry gives an id; "" if one can.
func never(id ID) string {
	switch {
	case id.global:
		return ""
	case id.number == 0:
		return "registries count from 1. Serializers of Apicurio write ids of 8 bytes unless the producer sets apicurio.registry.as-confluent=true"
	case id.number > math.MaxInt32:
		return fmt.Sprintf("no registry gives ids above %d, so the producer did not get it from one", math.MaxInt32)
	}
	return ""
}

// noID says what is wrong with a message that names no schema.
func noID(message *kafka.Record) error {
	why := "the value does not begin with the header of a schema registry, a zero byte and the schema's id: check record.format, or the serializer of the producer"
	for _, kind := range []string{"globalId", "contentId"} {
		if _, found := message.Header(apicurio + kind); found {
			why = "the schema's id is in the header " + apicurio + kind +
				", which fairstream does not read: set apicurio.registry.headers.enabled=false and apicurio.registry.as-confluent=true for the producer"
		}
	}
	return &record.Rejection{Reason: record.NoSchemaID, Offset: 0, Detail: why}
}

// SchemaOf is the schema that a message names, as text, whether or not a registry can give it; "" if it names none.
func SchemaOf(message *kafka.Record) string {
	head, apart := message.Header(ValueSchema)
	if !apart {
		head = message.Value
	}
	id, size := readID(head)
	if size == 0 {
		return ""
	}
	return id.String()
}

// Whole is a value that names its schema by itself, as the message does with its headers.
func Whole(message *kafka.Record) []byte {
	head, apart := message.Header(ValueSchema)
	if !apart || message.Value == nil {
		return message.Value
	}
	return append(append(make([]byte, 0, len(head)+len(message.Value)), head...), message.Value...)
}
