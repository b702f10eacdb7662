// Package backfill learns a history from files by sums, and writes a state that a job begins from.
//
// Its files, in the order in which they are read:
//
//	codes.go     which files write labels or groups in another way than the others
//	fields.go    which fields only some of the files have, or are numbers in some only
//	far.go       what workers in other processes are told of files, and report
//	rejects.go   how many rows of a file were rejected, and whether these are too many
//	keys.go      what the choice of records knows of a file's name
//	same.go      a file of a history, and whether it is what it was in the pass before
//	files.go     the files of a history, their good records and their rejected ones
//	find.go      which files patterns name
//	work.go      far files: the work of a worker, and what becomes of its reports
//	settings.go  what is asked for, and the files that are written
//	say.go       what is said before and during the work
//	resume.go    how far a backfill is, in a file beside its output
//	alone.go     one backfill at a time for an output
//	run.go       the backfill from its start to its end
//	start.go     a state of a backfill, as fairstream run is given it
//
// It may import what reads files and writes them, internal/config, internal/envelope,
// pkg/backfill, pkg/fairness and pkg/stream.
package backfill
