// Package changes finds columns of a table that become others on the way from the first row to the last.
//
// Its files, in the order in which they are read:
//
//	moved.go    columns that stop, start, stick or become others
//	rounded.go  numbers that are rounded in one part
//	breaks.go   numbers that are of another kind from some row on
//	renamed.go  texts that get another name
//	hours.go    times of another zone, and times that lack half of the day
//	times.go    times that stand for "not known", and times in the wrong order
package changes
