// Package english writes for people: numbers, words, lines and tables of a terminal with 80 columns.
//
// Its files, in the order in which they are read:
//
//	numbers.go  counts, numbers with their intervals, shares in per cent
//	words.go    lists of names, and the name that was probably meant
//	lines.go    sentences on lines of at most 80 characters
//	table.go    tables
//
// It may import internal/spelling, and nothing else of the project.
package english
