// Package copies finds rows of a table that are probably about the same.
//
// Its files, in the order in which they are read:
//
//	nearly.go  copies that differ in one field
//	akin.go    rows that are about the same, though several fields differ
package copies
