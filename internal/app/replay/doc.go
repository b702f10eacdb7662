// Package replay learns from the records of a file in one pass, and measures what was learnt.
//
// Its files, in the order in which they are read:
//
//	settings.go   flags of replay that do not go together: --tau, --relaxation, --folds, --orders, --shuffle, standard input; the
//	              configuration of --input adult
//	output.go     --save and --report checked before the pass
//	plan.go       which records are learnt and held out (--holdout as share or file, "20%" refused), the configuration of each tau and
//	              relaxation, the learners
//	look.go       the first 2,000 records for the warnings about columns; what doing without a proxy costs; whether held-out records are
//	              older; whether several --input files are in the order of their times
//	warnings.go   warnings about what was learnt: one label only, fields that the input lacks, groups of nobody, record.key in replay,
//	              units
//	arrivals.go   record.label.time and stream.labels.age in replay: when labels and records are learnt
//	learn.go      the pass that learns; "nothing was learnt", "is useless", worse than a constant decision (mode paper)
//	holdout.go    the pass that measures; warnings about the holdout: labels all alike or the other way round, most records held out,
//	              copies of learnt records, older, files exchanged
//	measure.go    the document of --save; the results of each tau
//	report.go     "Learnt N records in", and "Try next" with its conditions
//	spread.go     mean, standard deviation, furthest and "within tau" over the holdouts
//	folds.go      --folds: which record is in which holdout, two passes, JSON of folds, conditions counted by fold
//	page.go       the numbers of the page of --report (internal/report draws it), and SHA-256 of its files
//	foldtable.go  the text of --folds: its table, what chance alone moves, orders compared
//	run.go        replay from its arguments to its report; folds repeated in several orders
//
// It may import app/command, app/statement, what is learnt and measured with, and what app/findings and app/input import.
package replay
