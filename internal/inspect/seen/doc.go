// Package seen is what is kept of records that are held against a configuration: counts of groups and labels, the ends of columns, how texts are
// written, tables of some records. It judges nothing.
//
// What is kept is a function of the configuration and the records in their order. Memory is bounded as that of internal/profile.
//
// Its files, in the order in which they are read:
//
//	ends.go       first and newest 512 numbers of a column: by which factor the unit changes, whether the records are sorted by it
//	gap.go        when numbers are of two kinds or two units (Celsius too), or far above all others
//	codes.go      which numbers are codes for "not known" (-1, -9, 0, 999), and which columns may be scores
//	numerals.go   numbers counted with three digits behind the point, or with an exponent
//	written.go    texts of a column: spellings of one value, dates and amounts for people, units, garbled encoding, how many new ones to
//	              expect
//	swallowed.go  when a text holds lines of a file
//	listed.go     when a text of record.missing is a value like the others
//	shift.go      when a share differs between the first and the newest 500 records
//	labels.go     when records are sorted by their labels (runs)
//	pairs.go      which pairs of groups are looked for in the columns, 8 at most
//	strata.go     records of both groups in each stratum, and strata with one group only
//	records.go    what is kept of records, and with how many equal weights they count
//	counts.go     records of each side of a comparison; which tau is within reach; columns left out as a learner does
//	add.go        what one record adds to all of this; words of lines with sums
package seen
