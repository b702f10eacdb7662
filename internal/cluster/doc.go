// Package cluster is what the rooms of a stream ask of Kafka, as interfaces: to read a topic, to append to it, to follow an input, to write
// many messages, and to write to several topics at once. It knows topics, partitions and messages, and no job.
//
// Files, in reading order:
//
//	cluster.go  the interfaces, and what each call promises
//	delete.go   keys of a compacted topic that are deleted, in batches
//	kafka.go    the real cluster: a client of internal/kafka that tries again
//
// Tests of the rooms use a cluster in memory, internal/cluster/clustertest.
package cluster
