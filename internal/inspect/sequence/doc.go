// Package sequence checks what changes from the first record to the last: labels and groups that are sorted, labels that were turned round, units,
// texts and times that change on the way.
//
// Its files, in the order in which they are read:
//
//	labels.go     labels and groups that are sorted, or whose share shifts
//	displaced.go  labels and groups beside the wrong record
//	rules.go      labels that follow a rule, are turned round, or are not known yet
//	moved.go      columns that stop, start, stick or are written in another way
//	times.go      times of another zone or in the wrong order, and records that are sorted
//	units.go      units that change on the way
//	stream.go     units that change in a long stream
package sequence
