// Package topics makes or verifies the topics of a job, and names the rights on them.
//
// Its files, in the order in which they are read:
//
//	topics.go  what topics create and topics verify print of each topic
//	rights.go  topics acls: the rights of each command on topics, groups and transactional ids
//
// It may import app/cluster, app/english, app/program, internal/config, internal/kafka and pkg/scoring.
package topics
