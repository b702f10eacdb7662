// Package serve runs the server of `fairstream serve`: documents, the log of decisions and HTTP, until a signal stops it.
//
// Its files, in the order in which they are read:
//
//	asked.go      what is asked, and what does not fit together
//	decisions.go  the topic of decisions
//	beat.go       heartbeats, on the topic of events
//	listen.go     HTTP, until the requests at the end are answered
//	run.go        fairstream serve from its start to its end
//
// It may import app/cluster, app/documents, app/program, app/service, internal/config, internal/heartbeat, internal/kafka, internal/serve, internal/server, pkg/document, pkg/follow and pkg/scoring.
package serve
