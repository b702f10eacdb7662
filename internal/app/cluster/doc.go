// Package cluster is what commands do with Kafka beside learning: open a client and give up on it when Kafka stays away,
// and read what a job has published.
//
// Its files, in the order in which they are read:
//
//	cluster.go    a client, topics that must exist, and what was deleted of one
//	signing.go    who signs what a job publishes, and who verifies it
//	job.go        the topics and the state of a job
//	history.go    the audit of a job, and what its monitor counted
//	noweights.go  why a job has published nothing
//	models.go     the documents of a job, one by its alias
//
// It may import what it configures and reads: internal/config, kafka, modeltopic, pkg/signature and pkg/stream.
package cluster
