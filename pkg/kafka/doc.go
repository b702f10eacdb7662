// Package kafka names what a program needs of Kafka to use this project as a library: how to reach a cluster, and what it is told
// of outages, of lost records and of another process that took over. It opens no connection: pkg/follow and pkg/scoring do.
//
// A file uses only those before it:
//
//	config.go  the keys of the section kafka; secrets that are never printed
//	outage.go  an operation that failed and is tried again, as it is told
//	topic.go   the identity of a topic as text
//	loss.go    kinds of lost records, the words of the error, and where stream.data_loss has reading go on
//	fenced.go  the error of a process whose transactional id another one took over
//
// The zero Config with Brokers is valid. It may import nothing of the project.
package kafka
