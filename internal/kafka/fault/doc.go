// Package fault says what the failures of Kafka mean: whether to try again, what a person can do, and which records are lost.
//
// A file uses only those before it:
//
//	errors.go      the classes of failures, and a failed operation
//	connection.go  failures before or instead of an answer
//	corrupt.go     a batch that no producer wrote
//	loss.go        records that are gone, and where reading goes on
//	classify.go    the class of each failure, and advice
//
// # A rule that is not obvious
//
// A connection closed before any useful answer ever came is an error after a few (ClosedError.Final). Without: a plaintext client
// waits for ever at a TLS listener. Later, a closed connection is a broker that restarts.
package fault
