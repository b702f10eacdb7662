// Package devbroker is an embedded Kafka broker for the demo, for trying fairstream without Docker, and for tests. It is
// not for production: one process, no replication, no authentication, reachable from this machine only.
//
// The broker is kfake of franz-go. Five things that it lacks are added here, each because of what was seen without it:
//
//   - One request with an unknown API key ends the whole process (a nil request is dereferenced), and an HTTP request to
//     the port asks for 1.2 GB of memory (its first four bytes are taken for a length). Every connection is guarded: such
//     a frame closes it.
//   - Its compaction removes old segments before it writes new ones, so a kill at that moment loses keys. With a data
//     directory, compaction runs only in Start, when nobody writes; in memory there is nothing to lose, and it runs
//     regularly.
//   - Its own cleaning begins when a topic is created or altered, so never after a restart. A ticker of ours does it.
//   - Nothing keeps a second one out of its data directory. A lock does.
//   - Its own cleaning would also compact at any moment: its interval is set beyond any uptime.
//
// It may import nothing of the project. cmd/fairstream and tests import it; nothing that runs in production does.
//
// The files:
//
//	devbroker.go  the embedded broker: port, data directory, its retention and compaction
//	guard.go      requests that would end it or take its memory close their connection; loopback only
//	lock.go       one broker a data directory ("another broker uses this directory")
package devbroker
