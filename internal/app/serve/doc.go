// Package serve runs the server of `fairstream serve`: documents, the log of decisions and HTTP, until a signal stops it.
//
// Its files, in the order in which they are read:
//
//	asked.go      flags of serve that do not fit together
//	decisions.go  serve.log: the topic of decisions made, the flush of 10 s at the end, "answered and not logged" (internal/serve/log.go
//	              is the log)
//	beat.go       serve.heartbeat: an instance's name, its heartbeats begun, poked and ended
//	listen.go     serve.address: connections, timeouts, serve.drain at SIGTERM
//	run.go        serve from start to end: documents followed or read from --model, shadow, options, metrics
//
// It may import app/cluster, app/documents, app/program, app/service, internal/config, internal/heartbeat, internal/kafka, internal/serve, internal/server, pkg/document, pkg/follow and pkg/scoring.
package serve
