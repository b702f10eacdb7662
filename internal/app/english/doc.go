// Package english writes for people: numbers, words, lines and tables of a terminal with 80 columns.
//
// Its files, in the order in which they are read:
//
//	numbers.go  how numbers are written for people: thousands, intervals, units of the label, per cent never rounded to 0 or 100
//	words.go    "did you mean", lists of names with "and N more"
//	lines.go    lines of at most 80 characters, indented; texts cut short or made one line
//	table.go    the look of tables on a terminal
//
// It may import internal/spelling, and nothing else of the project.
package english
