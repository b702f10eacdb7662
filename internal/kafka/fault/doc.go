// Package fault says what the failures of Kafka mean: whether to try again, what a person can do, and which records are lost.
//
// A file uses only those before it:
//
//	errors.go      retry or fatal; how the error of an operation is printed
//	connection.go  failures before or instead of an answer: closed, TLS, tokens
//	corrupt.go     the error about a batch that cannot be read, and how to go on without it
//	loss.go        the names of pkg/kafka for records that are lost
//	classify.go    which failure is tried again, and the advice for each: ACLs, passwords, certificates, replicas, names that do not resolve
//
// # A rule that is not obvious
//
// A connection closed before any useful answer ever came is an error after a few (ClosedError.Final). Without: a plaintext client
// waits for ever at a TLS listener. Later, a closed connection is a broker that restarts.
package fault
