// Package deadletters feeds rejected records again.
//
// Its files, in the order in which they are read:
//
//	replay.go  the dead letters of a job, written to its input again
//
// It may import app/cluster, app/english, app/program, internal/config, internal/kafka and pkg/stream.
package deadletters
