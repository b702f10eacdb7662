// Package topics makes or verifies the topics of a job, and names the rights on them.
//
// Its files, in the order in which they are read:
//
//	topics.go  the topics, and what became of each
//	rights.go  the rights that each command needs, as calls of kafka-acls.sh
//
// It may import app/cluster, app/english, app/program, internal/config, internal/kafka and pkg/scoring.
package topics
