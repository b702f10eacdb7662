// Package copies finds rows of a table that are probably about the same.
//
// Its files, in the order in which they are read:
//
//	nearly.go  when rows are copies but for one field
//	akin.go    when rows are versions of one record, though several fields differ
package copies
