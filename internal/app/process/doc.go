// Package process is behind the commands run and monitor: a job that learns from a topic or monitors the decisions on it, until it
// is stopped, with its log, its page and its probes.
//
// Its files, in the order in which they are read:
//
//	shared.go      the bound of stream.fetch_bytes and the decoders of one job among several
//	start.go       the log line "fairstream started", the port of server.address, and the warning that data is served to this machine
//	               only
//	look.go        run holds its first records against the configuration: "the records do not fit the configuration"; columns whose unit
//	               changes later
//	topics.go      topics.management: topics created or verified at the start and every 30 s, missing input with --until-end
//	heartbeats.go  run reads heartbeats of serve for the page
//	run.go         run and monitor from start to end: --until-end gives up on Kafka, warnings that nothing was learnt, history for the
//	               page, orders, audits
//
// It may import what a stream needs, and what shows it: internal/board and internal/server.
package process
