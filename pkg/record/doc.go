// Package record turns bytes into one record of the learner's world: a label, a weight, the
// protected attributes and the features, each of them a piece of text.
//
// Everything that reads records (replay, score, produce, run) reads them through this package, so
// a CSV file and the JSON made from it give the same records, and the same weights, bit for bit.
//
//		bytes ── Reader ──▶ row ── Decoder ──▶ Record ──▶ encoder and learner (pkg/model)
//		          lines            Schema, Names
//
//	  - [Config] says which field is the label, which are ignored, what counts as missing.
//	  - [Schema] is a Config checked and joined with the attributes that the constraints name.
//	  - [Decoder] fills a [Record] from a JSON object or a CSV row. One goroutine owns one.
//	  - [Reader] walks over a CSV or JSON-lines file, plain or gzipped, in constant memory.
//	  - [Rejection] is what a bad record becomes: a reason, a place and no value of the record.
//
// # Rules
//
//   - Everything is text. The JSON number 39, the JSON string "39" and the CSV cell 39 are the
//     same text; 39.0 is another. true and false are the texts "true" and "false". Nothing is
//     trimmed.
//   - null, and every text that Config.Missing lists, is missing. A feature that is missing stays in
//     the record, marked so; a feature that is absent is not in the record.
//   - A nested object is flattened to dotted paths: {"a":{"b":1}} is the field a.b, as is the
//     CSV column a.b. An array is flattened by position from 0: {"a":[7,8]} is a.0 and a.1. An
//     empty object or array is no field at all.
//   - A path that occurs twice in a record is a [DuplicateField].
//   - The label, the weight, the identifier, the event time, the join key and the attributes are
//     not features, unless Config.Features lists them by name; the label never is.
//   - Text must be UTF-8. A JSON escape of half a surrogate pair becomes U+FFFD, as in encoding/json.
//
// # Cost
//
// Decoding allocates nothing per record once buffers have grown; texts point into the
// caller's bytes. A decoder expects the fields of a record in the order of the record before and
// compares instead of hashing; any other order only costs time. Of JSON it also remembers, by column, short values that repeat, and what
// they came to (shape.go, texts.go). Where values do not repeat, it stops remembering them.
//
// # Parsers
//
// JSON is parsed by github.com/go-faster/jx, the fastest of the parsers for Go that refuse whatever
// is not JSON: of some 40 malformed forms buger/jsonparser, valyala/fastjson and the tokenizer of
// segmentio/encoding let more than ten pass each. Flat objects without escapes go past
// it on a path of their own, which is twice as fast. A CSV row without quotes is split here,
// which is faster; encoding/csv splits the others, one row at a time, so that a quote that nobody closed
// costs what Limits.RecordBytes allows and not the rest of the file. Both standard libraries are the oracle
// of the tests.
//
// The package is a leaf: it imports nothing of this project.
//
// The files:
//
//	record.go     one decoded record
//	config.go     the section record: keys, defaults, checks (record.renamed, record.unlabelled); fields with two roles
//	schema.go     what each field of a record is: label, weight, attribute, feature, ignored; texts that mean missing
//	rejection.go  the names of all reasons of a rejection, its words, and tombstone
//	text.go       a value of the configuration that is compared with texts
//	oneormore.go  a list that may be written as one text
//	time.go       record.time.format: how a time is read, and which other format it looks like
//	times.go      record.times: hour, weekday, month and age as features
//	sample.go     whether a record belongs to a sample, by its key
//	hash.go       the hash of a text (MurmurHash3)
//	names.go      bounds on the number and length of field names
//	number.go     a number as JSON
//	decimal.go    a short decimal to a number
//	parse.go      any decimal to a number
//	bytes.go      searches eight bytes at a time
//	decoder.go    fills records from objects and rows: bad_label, bad_weight, bad_propensity, bad_time, duplicate_field, too_long (record.limits), and
//	              what a record lacks (missing_label, missing_weight, missing_key)
//	json.go       JSON to fields, and where it stops being JSON: malformed_json, not_an_object, too_deep, too_many_fields, label_not_scalar,
//	              identity_not_text
//	flat.go       JSON without nesting and escapes, for speed
//	shape.go      the order of members that records of a stream share, for speed
//	texts.go      values that repeat, remembered by column, for speed
//	layout.go     features that come in the order of the record before, for speed
//	tree.go       the members of nested objects, remembered; record.renamed applied; name_too_long
//	envelope.go   record.at: Debezium, Connect, CloudEvents or a path, in JSON: deleted, not_enveloped; a guess of the envelope
//	around.go     record.at in Avro and Protobuf
//	walk.go       records of Avro and Protobuf, value by value
//	registry.go   the header of a schema registry before a record in JSON: read behind it, or registry_header where Avro or Protobuf follows
//	encoding.go   record.format and record.schema: the encodings and their checks
//	reader.go     the rows of a file; a file without a header line, or cut off in compressed data
//	open.go       the format of a file by its name (.csv, .jsonl, .gz)
//	lines.go      a window onto the lines of a stream
//	csv.go        the header of a CSV file and what is wrong with it; a row to fields: wrong_field_count
//	row.go        a row of CSV to cells: malformed_csv, quotes that are wrong or not closed
//	dialect.go    the keys of record.csv (separator, decimal, thousands, encoding, symbols) and their checks
//	hints.go      what to do about a file that is nearly right: UTF-16, Latin-1, gzip, ZIP, a JSON array, HTML, Parquet, a comma behind an object
package record
