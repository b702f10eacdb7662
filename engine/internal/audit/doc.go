// Package audit counts the decisions in files by month, as fairstream monitor counts those on a topic. What is a decision, and on which side of a
// comparison a record is, is internal/observe's.
//
// Its files, in the order in which they are read:
//
//	tally.go  counts by month, which join
//	files.go  the files of an audit, and the work of a worker
//	table.go  the counts as CSV
package audit
