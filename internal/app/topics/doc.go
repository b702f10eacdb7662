// Package topics makes or verifies the topics of a job.
//
// Its files, in the order in which they are read:
//
//	topics.go  the topics, and what became of each
//
// It may import app/cluster, app/english, app/program, internal/config and internal/kafka.
package topics
