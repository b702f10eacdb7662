// Package pairs finds what columns of a table show beside each other.
//
// Its files, in the order in which they are read:
//
//	scaled.go     when the numbers of one category are those of the others times a factor (unit, currency)
//	twofold.go    when two columns are one field under two names
//	shifted.go    when cells lie one column off
//	exchanged.go  when two columns of numbers are swapped in some rows
package pairs
