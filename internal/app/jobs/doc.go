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
//	files.go   run --config DIR: which files are jobs, refused files, two files of one job, common files before and after, whether a
//	           file changed
//	share.go   memory for fetched records of all jobs (256 MiB), turns of the processors, one client for each cluster
//	spread.go  stream.standby with a directory: which process takes which job, so that their numbers differ by one at most
//	member.go  one job of a directory: begun again after a failure with doubling pauses, or ended for good
//	set.go     jobs begun, replaced, removed as files change; a job that goes on with its last valid configuration
//	run.go     the process of a directory: SIGHUP and changed files looked for every 5 s, whose sections server and log count
package jobs
