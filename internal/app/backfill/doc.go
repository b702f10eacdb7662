// Package backfill learns a history from files by sums, and writes a state that a job begins from.
//
// Its files, in the order in which they are read:
//
//	codes.go     counts of labels and groups in the first records of each file, for the question about a file that writes them in
//	             another way (say.go asks)
//	fields.go    which fields only some of the files have, or are numbers in some and texts in others, from the first 1000 records of
//	             each (say.go names them)
//	far.go       what workers of an engine in other processes are told of files (Far, Job, Block), and report
//	rejects.go   when the rejected rows of a file stop a backfill: stream.reject_limit, from 10 rows on
//	keys.go      by which part of its name a file counts in the choice of records, so that a moved history gives the same
//	same.go      when a file counts as changed between passes: size, time, and the sum of its rows ("was changed while the backfill read
//	             it")
//	files.go     the files read in this process: other columns than the first, good and rejected rows, SHA-256 for the provenance
//	find.go      which files a pattern of --input names: order, ** refused, one file under two names, compressed formats, pipes
//	work.go      an engine's workers: look at a file, take in blocks, join reports; whether each block was taken in exactly once
//	settings.go  the settings of a backfill, the kinds of files it writes (state, document, .rounds), how many files at a time
//	say.go       every line that a backfill prints: estimate of passes and memory, progress, learner.forgetting, uneven fields, files
//	             whose labels or groups are written otherwise
//	resume.go    STATE.rounds: going on after a kill, what the fingerprint holds, damaged or of another backfill, torn files swept away
//	alone.go     the lock of an output: "another backfill is writing to"
//	run.go       the backfill from its start to its end: outputs checked, rounds run (pkg/backfill), state and document written
//	start.go     run --start-from, --start-offsets, --start-time: the state read, and errors of another version or configuration
//
// It may import what reads files and writes them, words for findings, internal/config, internal/envelope,
// pkg/backfill, pkg/fairness and pkg/stream.
package backfill
