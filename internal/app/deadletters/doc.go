// Package deadletters feeds rejected records again.
//
// Its files, in the order in which they are read:
//
//	waits.go   what is told of schemas that dead letters wait for
//	replay.go  the dead letters of a job, written to its input again
//
// It may import app/cluster, app/english, app/program, internal/config, internal/format, internal/format/formats, internal/kafka, pkg/record and pkg/stream.
package deadletters
