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
package server
