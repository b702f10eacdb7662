// Package score decides the records of a file, or of a topic, by published weights.
//
// Its files, in the order in which they are read:
//
//	cell.go      how numbers, decisions (1 or 0) and quoted texts are written in CSV
//	keep.go      score --keep: which fields of the input are repeated, under which names (input.NAME), as cells or "kept" in JSON
//	csv.go       the columns of the CSV that score writes, and the line of a rejected record
//	lines.go     the JSON lines that score writes, their keys, and the line of a rejected record; which weights decide a line
//	found.go     the warnings after scoring: columns lacking, values unlike those learnt, swapped columns, groups missing, identifiers
//	             again, share decided positively, values unread
//	part.go      one pass over a file or a block of it: decide, explore, count what found.go tells
//	file.go      score --input: which document decides (--model, alias, newest)
//	topics.go    flags of score --from --to that do not fit together, and topics that decisions may not go to
//	serve.go     health and metrics of score --from at server.address
//	messages.go  score --from of Avro or Protobuf messages; the log line about records that wait for a schema
//	run.go       score --from --to from start to end: topic of decisions made, log lines, an open transaction with --until-end, "Wrote N
//	             decisions" (pkg/scoring decides)
//
// It may import what app/input, app/cluster and app/service import, app/documents, internal/distinct, internal/format, internal/format/formats, pkg/follow and
// pkg/scoring.
package score
