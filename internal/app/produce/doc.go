// Package produce writes the records of a file to a topic.
//
// Its files, in the order in which they are read:
//
//	pace.go     produce --rate
//	key.go      the key of a message that produce writes: record.key, else record.id
//	produce.go  produce: every row, rejected ones, "continue with --skip" when interrupted
//
// It may import app/cluster, app/english, app/input, app/program, internal/format, internal/kafka and pkg/record.
package produce
