// Package protobuf makes records of Protocol Buffers: messages behind the header of a schema registry and the indexes of their type, and bare ones
// whose type is in a file. Schemas are compiled by github.com/bufbuild/protocompile, and google.golang.org/protobuf/encoding/protowire reads the wire; the
// walk from bytes to fields is our own, because libraries give values as messages alone, whose fields would be read by reflection.
//
// # What values become
//
// The record of a message is that of its JSON, with the field names of the schema and the following texts.
//
//	integers, bool           the text that JSON has, without quotes around 64 bits
//	float, double            the shortest decimal number of its width, as ECMAScript writes it: 39.0 is 39
//	string                   its text
//	bytes                    base64
//	enum                     the name, or the number of a value without a name
//	Timestamp                2026-11-21T08:30:00.5Z
//	Duration                 1.5s
//	BoolValue and its kin    the value
//
// A field without presence that is not on the wire has its default as its value: 0, false, an empty text. One with presence (optional,
// proto2, a wrapper, a member of a oneof) is then missing, and a message is absent. Repeated fields and maps become dotted paths; an unknown field is
// passed over. Of a single field that comes several times the last value counts; messages are merged. A map with a key twice is rejected.
//
// A type that contains itself is refused, since its records have no fixed fields: google.protobuf.Struct is one.
//
// Files, in reading order:
//
//	imports.go   Google's and Confluent's common .proto files
//	deep.go      how deep a .proto file nests
//	shape.go     a Protobuf schema compiled: descriptor sets, special types (Timestamp, Duration, wrappers, Decimal), recursive types
//	             refused
//	unfit.go     when a Protobuf type is unfit: label or attribute gone, or of a type that has no such value
//	encode.go    produce --schema: JSON objects as Protobuf messages
//	wire.go      the fields on the wire: last value counts, packed lists, oneofs, maps
//	walk.go      a Protobuf message to the fields of a record: defaults, presence, text of special types
//	print.go     a Protobuf message as JSON
//	format.go    record.format protobuf and protobuf-bare: which type of its file a message has (indexes)
//	describe.go  the fields of a Protobuf type for init and check
package protobuf
