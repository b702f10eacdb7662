// Package service is what the commands share that go on until they are stopped: their log, and who may read what they serve.
//
// Its files, in the order in which they are read:
//
//	log.go     log.format: console or JSON, log.level
//	access.go  server.token_file and server.tls read for what is served; the page's URL in the log
//
// It may import app/program, internal/config and internal/server.
package service
