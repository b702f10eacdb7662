// Package serve decides over HTTP: POST /v1/score, and version 2 of the Open Inference Protocol.
//
//	request ─▶ body ─▶ worker: decode, decide ─▶ answer
//	                     ▲         └──▶ Log ──▶ topic of decisions
//	      Models ────────┘
//
// A request is decided by the documents that are current when its turn comes, all records by the same ones. Decoding, deciding and the form
// of a logged decision are those of pkg/scoring, so a record gets the same decision from a topic and over HTTP.
//
// Its files, in the order in which they are read:
//
//	options.go     settings of the service
//	models.go      the documents to decide by; the alias "file" of --model
//	split.go       a request's JSON cut at brackets and quotes, not parsed; "the body is not JSON"
//	log.go         serve.log: decisions waiting for Kafka, bounded (serve.log_buffer, 256 MiB); wait refuses the request, else lost; key
//	               and source of a logged decision
//	logwrite.go    the goroutine that writes logged decisions: refused ones one by one, what is counted as written or lost
//	metrics.go     the metrics fairstream_serve_*, and which documents a heartbeat names
//	judge.go       one document that decides: decisions counted by alias and by group, exploration
//	worker.go      one record decided: its key, shadow and split, what is logged; "there is no document to decide by"
//	parts.go       a request of 128 records or more divided among idle workers
//	body.go        the body of a request: serve.body_bytes, memory of all requests (256 MiB), compressed bodies refused (415)
//	service.go     paths of /v1 and /v2; serve.concurrency and serve.timeout (503, Retry-After), X-Request-Id, errors as JSON
//	openapi.go     GET /v1/openapi.yaml
//	v1.go          POST /v1/score: records and keys of a request, serve.records, a result or error for each
//	v2metadata.go  GET /v2: inputs, outputs and datatypes of the model; which version is served
//	v2tensor.go    tensors: datatypes, bytes and JSON to values; missing ones
//	v2parse.go     a request of the Open Inference Protocol checked: inputs, outputs, shapes, binary data
//	v2infer.go     POST /v2/models/NAME/infer, and its answer as JSON or bytes
//
// It may import internal/heartbeat, internal/kafka, pkg/document, pkg/fairness, pkg/follow and pkg/scoring.
package serve
