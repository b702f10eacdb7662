// Package audit tells people what the history of a job shows.
//
// Its files, in the order in which they are read:
//
//	report.go  the audit in lines of at most 80 characters
//	job.go     the audit of a job
//
// It may import app/cluster, app/english, app/program, internal/config, internal/kafka and pkg/history.
package audit
