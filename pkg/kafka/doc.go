// Package kafka names what a program needs of Kafka to use this project as a library: how to reach a cluster, and what it is told
// of outages, of lost records and of another process that took over. It opens no connection: pkg/follow and pkg/scoring do.
//
// A file uses only those before it:
//
//	config.go  how to reach a cluster
//	outage.go  an operation that is tried again
//	topic.go   the identity of a topic
//	loss.go    records that are gone, and where reading goes on
//	fenced.go  another process that took over
//
// The zero Config with Brokers is valid. It may import nothing of the project.
package kafka
