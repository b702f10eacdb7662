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
//	format.go  what a format gives
//	described.go what a schema says of messages before they are read
//	guarded.go bounds on schemas, and parsers that fail
//	encoder.go records as messages, for tests and demos
//	json.go    JSON, without a schema
//	header.go  the header of messages whose schema is in a registry
//	overdue.go schemas that were awaited for long
//	decoding.go where schemas are found, and what decoders of messages with schemas have in common
//	decimal.go decimal numbers in bytes
//	quoted.go  texts and numbers as JSON, for those that print
package format
