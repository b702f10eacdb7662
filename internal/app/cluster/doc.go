// Package cluster is what commands do with Kafka beside learning: open a client and give up on it when Kafka stays away,
// and read what a job has published.
//
// Its files, in the order in which they are read:
//
//	cluster.go    the client of a command: given up on 30 s after Kafka went away, "trying again", topics that must exist, what prune
//	              lists
//	signing.go    whether signing.private_key_file and signing.public_keys of a job fit together
//	job.go        the topics of a job with their settings, the options of its stream, its state read from the state topic
//	history.go    the audit of a job read from its topics, and what its monitor counted up to the last snapshot
//	noweights.go  "topic holds no weights of job yet", and why: never started, ended early, too soon, nothing arrived
//	models.go     the documents of a job read from the model topic for a command; refused ones as warnings; "has no alias"
//
// It may import what it configures and reads: internal/config, kafka, modeltopic, pkg/signature and pkg/stream.
package cluster
