// Package pairs finds what columns of a table show beside each other.
//
// Its files, in the order in which they are read:
//
//	scaled.go     numbers whose unit depends on another column
//	twofold.go    one field under two names
//	shifted.go    values that belong in another column
//	exchanged.go  two columns of numbers that are exchanged in a part of the rows
package pairs
