// Package produce writes the records of a file to a topic.
//
// Its files, in the order in which they are read:
//
//	pace.go     records spread over time
//	key.go      the key of a row
//	produce.go  every row, and what is acknowledged of an interrupted run
//
// It may import app/cluster, app/english, app/input, app/program, internal/format, internal/kafka and pkg/record.
package produce
