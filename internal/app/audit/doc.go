// Package audit tells people what the history of a job shows.
//
// Its files, in the order in which they are read:
//
//	report.go  the audit in lines of at most 80 characters
//
// It may import app/english and pkg/history.
package audit
