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
//	options.go   what decides, and within which limits
//	models.go    the documents, from a topic or from a file
//	split.go     cutting JSON into its parts
//	log.go       decisions on their way to a topic
//	logwrite.go  the goroutine that writes them
//	metrics.go   what is counted, and what a heartbeat tells of it
//	judge.go     one document that decides, and counts
//	worker.go    records of one request at a time
//	parts.go     the records of a request among workers
//	body.go      the bodies of requests, within bounds
//	service.go     limits, errors, answers
//	openapi.go     the description of /v1
//	v1.go          POST /v1/score
//	v2metadata.go  the model as the Open Inference Protocol describes it
//	v2tensor.go    tensors as values of JSON
//	v2parse.go     a request of the protocol as records
//	v2infer.go     POST /v2/models/NAME/infer
//
// It may import internal/heartbeat, internal/kafka, pkg/document, pkg/fairness, pkg/follow and pkg/scoring.
package serve
