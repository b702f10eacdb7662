// Package link connects to a cluster: it opens connections, logs in, sends requests to the broker that must answer them, and
// knows the topics, their identities and leaders. kafka-go carries the bytes (connections, SASL, the encoding of requests that
// need no more than that); who leads a partition and what a failure means is decided here and in package fault.
//
// A file uses only those before it:
//
//	config.go    how to reach a cluster
//	files.go     certificates, keys and passwords in files
//	bearer.go    tokens of OAUTHBEARER
//	security.go  TLS and SASL of a configuration
//	validate.go  everything that is wrong with a configuration
//	guard.go     a connection whose answers are checked before kafka-go decodes them
//	dialer.go    connections, with TLS, and how all of them are closed
//	link.go      what a process holds of a cluster; the beginning and the end of calls
//	retry.go     attempts, with growing pauses
//	send.go      one request and its answer
//	cluster.go   topics and their leaders, and which answers about them are believed
//	offsets.go   the bounds of logs
//
// # Rules that are not obvious
//
// Each is the event that breaks without it.
//
//   - Another topic id, or number of partitions, is believed when a second answer, on a fresh connection, agrees (topic).
//     Without: one flipped bit in an id ends a healthy learner, or makes it learn everything again.
//   - A connection that fails to open is explained by asking for metadata (unmask). Without: a wrong password reads
//     "topic not found", since kafka-go routes by a layout that it never received.
//   - Close ends calls, then pools, then sockets (Link.Close). Without: a call that began a moment before opens a new
//     pool, whose goroutine stays for ever.
//   - An answer owns its buffer (exchange). Without: a deadline passes, the caller uses the buffer for the next request, and the
//     connection, still reading the late answer, writes into it.
//
// SASL is PLAIN, SCRAM and OAUTHBEARER; there is no Kerberos.
package link
