// Package deadletters feeds rejected records again.
//
// Its files, in the order in which they are read:
//
//	waits.go   the line "Dead letters wait for schema"
//	replay.go  what deadletters replay prints: how many were written, how many are left by reason and schema id
//
// It may import app/cluster, app/english, app/program, internal/config, internal/format, internal/format/formats, internal/kafka, pkg/record and pkg/stream.
package deadletters
