// Package format is how the values of a topic become records, whatever they are written as: JSON here, Avro and others in the rooms below.
//
//	bytes of a message ── Decoder ──▶ record.Record, or a *record.Rejection, or a *Pending
//
// A Format is shared by all goroutines, and holds the schemas that were fetched. A Decoder belongs to one goroutine. It compiles a schema once
// to nodes of its record.Decoder, and decodes messages straight into records: the record of a message is the one that pkg/record makes of the
// JSON with the same members.
//
// A schema that has to be fetched first makes a message Pending: its partition is held until Ready is closed, and the message decoded again.
//
// Files, in reading order:
//
//	format.go     the interfaces Format, Decoder, Printer; Pending: a message that waits for its schema
//	described.go  what a schema says of its fields before messages are read (kinds, symbols, nullable), and how many
//	guarded.go    bounds on schemas (2 MiB, depth 200); parsers that panic
//	encoder.go    the interface of encoders, for produce
//	json.go       JSON messages, without a schema
//	header.go     the schema's id or GUID before a value or in the header __value_schema_id; ids that no registry gives, Apicurio's
//	              headers
//	overdue.go    after 5 s it is told that messages wait for a schema, each schema once
//	decoding.go   schemas judged once whether messages fit (unfit_schema); the fields of a schema bound to those of a record
//	decimal.go    decimals in bytes as text
//	quoted.go     texts and numbers as JSON
package format
