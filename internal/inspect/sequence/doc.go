// Package sequence checks what changes from the first record to the last: labels and groups that are sorted, labels that were turned round, units,
// texts and times that change on the way.
//
// Its files, in the order in which they are read:
//
//	labels.go     records sorted by label; shares of labels or groups that shift on the way
//	displaced.go  labels or groups one row off
//	rules.go      in words: labels filled in by a rule, turned round or severed in a part, too young to be known (internal/table/labels
//	              decides)
//	moved.go      in words: columns that stop, start, stick, take other texts, are renamed, rounded or of another kind
//	              (internal/table/changes decides)
//	times.go      times of another zone, AM and PM lost, two times in the wrong order, records newest first or sorted by a number
//	units.go      the words about a unit that changes
//	stream.go     units that change in a long stream: which records run and replay look at
package sequence
