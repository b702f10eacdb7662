// Package values finds values of one column of a table that are probably not meant.
//
// Its files, in the order in which they are read:
//
//	spike.go       when a number was probably filled in
//	blanks.go      when empty cells stand for the one above (merged cells)
//	signs.go       when amounts have a wrong sign
//	multiplied.go  when a few numbers are ten, hundred, ... times the others (decimal mark lost)
package values
