// Package changes finds columns of a table that become others on the way from the first row to the last.
//
// Its files, in the order in which they are read:
//
//	moved.go    when a column stops, starts, sticks at one value or takes other texts between the first and the last fifth
//	rounded.go  when numbers are rounded in the first or the last two fifths only
//	breaks.go   when all numbers from some row on are above or below those before
//	renamed.go  when a text ends and another takes its place
//	hours.go    when the hours of times are moved by a zone, or are all 1 to 12 (AM and PM lost)
//	times.go    when a far date stands for "not known", which of two times is later, rows newest first or files in the wrong order
package changes
