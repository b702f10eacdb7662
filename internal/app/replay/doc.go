// Package replay learns from the records of a file in one pass, and measures what was learnt.
//
// Its files, in the order in which they are read:
//
//	settings.go   what the command line asks for, and what does not go together; the configuration for the bundled records
//	output.go     the files of --save and --report
//	plan.go       a replay: its sources, and the learner of each tau, relaxation and fold
//	look.go       what the first records hold, for the warnings
//	warnings.go   what is not wrong, but probably not meant
//	arrivals.go   labels that became known later than their records
//	learn.go      one pass of learning
//	holdout.go    one pass of measuring
//	measure.go    what was found with each learner
//	report.go     what was found, for people, and what to try next
//	spread.go     how numbers vary between holdouts
//	folds.go      cross-validation: learn in a first pass, measure in a second
//	page.go       the page of --report
//	foldtable.go  what the folds show, for people
//	run.go        a replay from its arguments to its report
//
// It may import app/command, app/statement, what is learnt and measured with, and what app/findings and app/input import.
package replay
