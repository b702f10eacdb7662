// Package column checks each column by itself: whether it is a feature, how its texts and numbers are written, and what its name says.
//
// Its files, in the order in which they are read:
//
//	kinds.go        columns that are no features, or not what they seem
//	arrays.go       places of an array as features
//	lines.go        lines that are sums of others, or were taken for one text
//	texts.go        texts that are written in several ways, or for people
//	misread.go      texts and numbers that were cut off, and texts that no person wrote
//	numbers.go      codes for "not known", numbers of two kinds, wrong signs
//	limits.go       numbers that were cut off, and numbers beside ranges
//	missing.go      values that mean something, and cells that are empty for the one above
//	parted.go       columns that tell what is to be held out
//	spreadsheet.go  what a spreadsheet makes of records
//	names.go        names and single values that say that something else is meant
package column
