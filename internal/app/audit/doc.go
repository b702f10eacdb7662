// Package audit tells people what the history of a job shows.
//
// Its files, in the order in which they are read:
//
//	report.go  each section of what audit prints: chain, clocks that went back, signatures, shares of the time within tau, versions,
//	           changes, owners, lost data, verdicts and alarms, releases, resets, gaps
//	job.go     audit of a job: reads it, text or JSON, and what makes the exit code 1 (broken chain, unsigned entries or documents)
//
// It may import app/cluster, app/english, app/program, internal/config, internal/kafka and pkg/history.
package audit
