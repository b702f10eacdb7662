// Package wire reads and writes what is sent to a broker and comes back: the primitive types of Kafka's protocol, the frames of
// requests and answers, and those messages that kafka-go does not know or knows in older versions only. It opens no connection.
//
// A file uses only those before it:
//
//	errors.go    an answer that ends too early, and the error codes of brokers
//	id.go        the identity of a topic
//	codec.go     numbers and names of the compressions
//	encoder.go   primitive types of the protocol to bytes
//	decoder.go   bytes to primitive types, every length checked
//	frame.go     a request and its answer on a connection; bounds on an answer's length and silence
//	shape.go     whether kafka-go can decode an answer without allocating what a forged length claims
//	versions.go  which versions of the protocol a broker speaks
//	metadata.go  the request for topics, their identities and leaders, and its answer
//	fetch.go     the fetch request in its versions, by topic id or name, and its answer
//
// # Rules that are not obvious
//
//   - kafka-go sees no answer whose lengths were not checked (Shape.Check; link's guardedConn calls it). Without: one flipped bit in
//     the count of an array makes it allocate 36 GB, and the process dies.
//   - A request names the topic by its id (Fetch 13), so that records of a topic made again under the same name cannot be its answer.
//     (Kafka before 3.1 has no such fetch; the id is then compared whenever the coordinator of a Fetcher looks.)
package wire
