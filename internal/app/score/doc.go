// Package score decides the records of a file, or of a topic, by published weights.
//
// Its files, in the order in which they are read:
//
//	cell.go      numbers, and texts of CSV
//	keep.go      fields of the input beside the decisions
//	csv.go       a line of CSV for each record
//	lines.go     a line of JSON
//	found.go     what is said of scored records: other values than were learnt, missing groups
//	part.go      the records of a file, or of a block of one
//	file.go      the records of a file
//	topics.go    what is asked of a topic, and what does not fit together
//	serve.go     health and metrics
//	messages.go  messages in other formats than JSON
//	run.go       the records of a topic
//
// It may import what app/input, app/cluster and app/service import, app/documents, internal/distinct, internal/format, internal/format/formats, pkg/follow and
// pkg/scoring.
package score
