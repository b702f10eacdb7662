// Package server is what the outside sees of a running stream: health, metrics and logs.
//
//		stream ── events ──▶ Monitor ──▶ Logger
//		   ▲                   │ counts, outages
//		   └──── Status ───────┤
//		                       ▼
//		              /metrics  /livez  /readyz  /loglevel
//
//	  - /livez answers 200 as long as the process serves: it does not depend on Kafka, so an outage of
//	    Kafka restarts nothing.
//	  - /readyz answers 200 while the stream learns and every operation of Kafka works, else 503. On this
//	    machine, or with the token, the body says why, a reason a line; to others it says a word.
//	  - /metrics is for Prometheus. Every series begins with fairstream_, but for those of the Go runtime
//	    and the process.
//	  - /loglevel shows the log level (GET), and changes it (PUT, {"level":"debug"}) for a client on
//	    this machine, or one with the token.
//	  - /report is the report of a period for signature: internal/signoff, over the history.
//	  - / and /api/v1/ are the page and its data: internal/board over a Live. Access decides who may read them.
//
// Nothing here holds a value of a record.
//
// It may import internal/appraise, internal/board, internal/heartbeat, internal/signoff, pkg/record, pkg/stream, pkg/model, pkg/document, pkg/history and pkg/fairness.
//
// The files:
//
//	server.go       the HTTP server and its limits
//	access.go       which request may read and change what
//	guard.go        refuses what no honest client sends
//	crowd.go        the connections, of which one that waits is closed for a new one
//	log.go          the log, and its level
//	monitor.go      how a stream is: its events and its status
//	topics.go       conditions about partitions and topics
//	clusters.go     conditions about records that may not be independent
//	damaged.go      conditions about a damaged history
//	stopped.go      conditions about parts that were cut off
//	notes.go        leaves out conditions that the answers contradict
//	describe.go     the metrics of a stream
//	collect.go      a status as metrics
//	judged.go       metrics of the decisions that the monitor counts
//	released.go     metrics and log of the releases
//	live.go         where the page gets its data from
//	answers.go      the headline and the four questions of the page
//	since.go        since when a version is in use and a verdict holds
//	follows.go      what follows from a verdict or an alarm, and who has to act
//	measured.go     what the learner measures, for the page
//	decisions.go    what the monitor counts, for the page
//	releasepage.go  the releases, for the page; versions that were superseded one after the other in one line
//	drivers.go      which columns move the scores of two groups apart
//	instances.go    which instances serve which version
//	track.go        the course of the estimates, and the speed
//	remembered.go   what the page shows of that course
//	recall.go       the history of the job, for the page
//	order.go        orders of a person about releases
//	report.go       the report of a period
//	jobs.go         a process with many jobs
//	following.go    processes that follow documents: conditions and metrics
//	scoring.go      a process that decides a topic
//	deciding.go     a process that decides over HTTP
package server
