// Package service is what the commands share that go on until they are stopped: their log, and who may read what they serve.
//
// Its files, in the order in which they are read:
//
//	log.go     the log, for people or for programs
//	access.go  who may read what is served, and at which address
//
// It may import app/program, internal/config and internal/server.
package service
