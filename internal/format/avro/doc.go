// Package avro makes records of Avro: messages behind the header of a schema registry, single objects, and bare ones of a schema that is in a
// file. A schema is parsed by github.com/twmb/avro and becomes a tree of shapes; the walk from bytes to fields is our own, because no library
// gives values to anything but structs and maps.
//
// # What values become
//
// The record of a message is that of the JSON with the same members. A record, a map and an array become dotted paths; a union is the value of
// its branch, and null is missing.
//
//	int, long, boolean         the text that JSON has
//	float, double              the shortest decimal number of its width, as ECMAScript writes it: 39.0 is 39
//	string, enum, uuid         its text
//	bytes, fixed               base64, as in the JSON of Protobuf and of Kafka Connect
//	decimal                    the exact number, without zeros at its end
//	date                       2026-11-21
//	time-millis, -micros       08:30:00.5
//	timestamp-…                2026-11-21T08:30:00.5Z
//	local-timestamp-…          2026-11-21T08:30:00.5
//	duration                   P1M2DT0.5S
//
// An unknown logical type is its underlying type. A schema that contains itself is refused, since its records have no fixed fields.
//
// # Bounds
//
// Nothing is allocated for a length or a count that a message states. Values of a record are bounded by record.limits; values that are passed
// over by a number of steps.
//
// Files, in reading order:
//
//	shape.go      an Avro schema parsed: logical types, named types, recursive schemas refused
//	unfit.go      when an Avro schema is unfit: label or attribute gone, or of a type that has no such value
//	encode.go     produce --schema: JSON objects as Avro messages
//	input.go      Avro's zigzag numbers, lengths and blocks read
//	text.go       texts of dates, times, UUIDs, durations
//	walk.go       an Avro message to the fields of a record; skipped values bounded
//	format.go     record.format avro and avro-bare
//	single.go     record.format avro-single: marks and fingerprints
//	print.go      an Avro message as JSON, for check and container files
//	message.go    bytes behind the record, for JSON
//	describe.go   the fields of an Avro schema for init and check
//	container.go  Avro container files (.avro): codecs, damaged blocks
package avro
