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
//	server.go       the HTTP paths of a process (/metrics, /livez, /readyz, /loglevel, /report, the page) and its limits: 512
//	                connections, timeouts
//	access.go       who may read and change what: token, TLS, a renewed certificate, 401 and 403, who gets the reasons of /readyz
//	guard.go        refuses a body above 4 KiB, a foreign Host (DNS rebinding) and a foreign Origin
//	crowd.go        which of 512 connections is closed for a new one
//	log.go          the log: its format and level, and the words of its line for each event of a stream
//	monitor.go      why /readyz says 503; outages of an operation of Kafka and their end in the log, since when Kafka has not answered;
//	                the label job_name of all metrics
//	topics.go       the conditions saving_stuck, state_garbage, schema_awaited, schema_unfit, topic_settings
//	clusters.go     the conditions repeated_records and persons_unknown: records that may not be independent
//	damaged.go      the conditions history_damaged and time_ahead
//	stopped.go      a part that was cut off after a panic: conditions monitor_stopped, releases_stopped, events_stopped, page_stopped,
//	                and its metric
//	notes.go        which conditions the page leaves out because an answer says otherwise
//	describe.go     names and help of the metrics of a stream and its learner (of the monitor: judged.go, of releases: released.go)
//	collect.go      the values of these metrics, from the status: lag, waiting records, offsets
//	judged.go       metrics of the monitor: fairstream_group_*, sequence_*, alarm_*, events, calibration gaps, drivers; at most 500
//	                groups
//	released.go     metrics fairstream_release_*; conditions no_stable_version, stable_not_moved, stable_gone, stable_pinned,
//	                releases_paused, candidates_rejected; log of each step and why
//	live.go         a process's status put together for the page; counts of records, lag, the condition models_ignored
//	answers.go      the four answers of the page: what the verdict covers, and before there is one (no records, warm-up; another
//	                instance runs the job, which the notice of page/app.js says, too); the verdict's words: internal/board
//	since.go        since when a version is in use, and since when a group is beyond its limit
//	follows.go      what follows from a violation or an alarm, in words: decisions withdrawn, version replaced, who has to act
//	measured.go     the learner's measurements for the page, and how many records they still need
//	decisions.go    the monitor's counts for the page: rows of groups, sequences, alarms, gaps, calibration, series over time
//	releasepage.go  releases on the page: versions, stages, steps; versions superseded one after the other in one line
//	drivers.go      which columns move the scores of two groups apart, from the last 2,000 records
//	instances.go    which instances serve which version, as heard from their heartbeats
//	track.go        the course of the estimates on the page's chart: points, marks, published versions
//	remembered.go   the speed (records a second), and when records moved last; what the page shows of the course
//	recall.go       the history of the job on the page, a sentence for each entry: owners, changed settings, losses, verdicts, resets;
//	                entries by somebody else
//	order.go        POST /api/v1/release: orders of a person (promote, roll back, pin and so on), their token and answers
//	report.go       GET /report?from=&to=: the report of a period for signature
//	jobs.go         a process with many jobs: paths /jobs/JOB/, the list of jobs, metric fairstream_jobs, the condition
//	                config_file_refused
//	following.go    metrics and conditions of score and serve about the documents they follow: version, term, refused, not watched;
//	                fairstream_build_info
//	scoring.go      score: metrics fairstream_score_*, why it is not ready
//	deciding.go     serve: why it is not ready, draining at its end, the age of its document as a metric (its other metrics:
//	                internal/serve/metrics.go)
package server
