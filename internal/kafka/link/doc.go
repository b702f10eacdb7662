// Package link connects to a cluster: it opens connections, logs in, sends requests to the broker that must answer them, and
// knows the topics, their identities and leaders. kafka-go carries the bytes (connections, SASL, the encoding of requests that
// need no more than that); who leads a partition and what a failure means is decided here and in package fault.
//
// A file uses only those before it:
//
//	config.go    the section kafka: names of protocols and mechanisms, defaults, timeouts of connections
//	files.go     certificates, keys and passwords (sasl.password_file, ssl.*.location) read from files; encrypted or wrong PEM
//	bearer.go    sasl.mechanism OAUTHBEARER: tokens from a file or an endpoint, renewed at 80 % of their life
//	security.go  TLS and SASL settings of a connection, with or without the check of the host's name (ssl.endpoint.identification.algorithm)
//	validate.go  each check of the section kafka: brokers (a password in one is not shown), protocol, SASL, TLS and token keys that are missing or
//	             ignored
//	guard.go     a connection whose answers are checked before kafka-go decodes them; after how many closed connections the listener is taken for
//	             another protocol
//	dialer.go    opens connections, shakes hands by TLS, and closes all of them
//	link.go      what a process holds of a cluster: time limit of each call, renewed tokens, the order in which all is closed
//	retry.go     attempts with growing pauses (50 to 850 ms), and the outages that are told
//	send.go      one request to a broker and its answer; the true cause of a failed connection
//	cluster.go   topics, leaders and the controller; another topic id or number of partitions is believed after two answers
//	offsets.go   first and last offsets, and offsets at a time
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
