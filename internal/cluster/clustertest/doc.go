// Package clustertest is a cluster in memory for tests: no network, no clock of its own, and each operation fails when a test tells it to. What it
// does is deterministic for one goroutine, so that a test can fail the first operation, then the second, and so on to the last.
//
// Files, in reading order:
//
//	memory.go    the topics, and the calls of a Cluster that read and append
//	source.go    an input that is followed
//	write.go     batches and transactions
//	topics.go    what happens to topics from outside: made again, cleaned
//	pausable.go  the view of a process that is paused
package clustertest
