// Package values finds values of one column of a table that are probably not meant.
//
// Its files, in the order in which they are read:
//
//	spike.go       a number that too many records have
//	blanks.go      cells that are empty because the one above is meant
//	signs.go       amounts with a wrong sign
//	multiplied.go  a few numbers that are others times a factor
package values
