// Package seen is what is kept of records that are held against a configuration: counts of groups and labels, the ends of columns, how texts are
// written, tables of some records. It judges nothing.
//
// What is kept is a function of the configuration and the records in their order. Memory is bounded as that of internal/profile.
//
// Its files, in the order in which they are read:
//
//	ends.go       the first and the newest numbers of a column
//	gap.go        numbers of two kinds
//	codes.go      numbers that stand for "not known", and scores
//	numerals.go   how numbers are written
//	written.go    how texts are written
//	swallowed.go  lines of a file that a quotation mark makes one text of
//	listed.go     texts that record.missing lists
//	shift.go      what is true of the first and of the newest records
//	labels.go     labels in the order of their records
//	pairs.go      the two groups of a comparison
//	strata.go     the two groups in each stratum
//	records.go    what is kept of all records
//	counts.go     the groups of comparisons, and what callers ask of all records
//	add.go        a record is taken in
package seen
