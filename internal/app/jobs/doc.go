// Package jobs runs many jobs in one process: each file of a directory is the configuration of one.
//
//	DIR/a.yaml ──▶ Scan ──▶ Set ──▶ process.Job a ─┬─ one client of each cluster
//	DIR/b.yaml ──▶      │       └─▶ process.Job b ─┼─ turns of the processors, shares of memory
//	DIR/bad.yaml ──▶ refused                       └─ server.Jobs: one page, metrics and probes
//
// A job that halts, fails or panics, and a file that is wrong, stop no other job.
//
// Its files, in the order in which they are read:
//
//	files.go   which files are there, what is wrong with them, and whether they changed
//	share.go   what jobs share: clients, turns, memory
//	spread.go  which jobs this process has, and which others do
//	member.go  one job, which is begun again when it fails
//	set.go     the jobs that run: begun, replaced and ended as the files change
//	run.go     the process from its start to its end
package jobs
