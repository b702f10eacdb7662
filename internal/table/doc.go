// Package table keeps some of the records as a table, with their fields in columns, and finds what single columns cannot show: numbers whose unit
// depends on another column, one field under two names, cells that are shifted, copies that differ in one field, and values or times that only
// records of one label have.
//
// A table either keeps the first records, in which copies stand beside each other, or an even selection of all. What is found is a function of the
// records in their order. Values are kept as numbers or as hashes, never as texts, and memory is bounded.
//
// Its files, in the order in which they are read:
//
//	table.go       the rows that are kept
//	levels.go      what each value of a column tells of the label
//	spike.go       a number that too many records have
//	blanks.go      cells that are empty because the one above is meant
//	ending.go      labels at the ends of time
//	scaled.go      numbers whose unit depends on another column
//	twofold.go     one field under two names
//	shifted.go     values that belong in another column
//	moved.go       columns that stop, start, stick or become others on the way
//	signs.go       amounts with a wrong sign
//	nearly.go      copies that differ in one field
//	renamed.go     texts that get another name on the way, and numbers that are rounded in one part
//	flipped.go     labels that are turned round in a part of the rows
//	multiplied.go  a few numbers that are others times a factor
//	exchanged.go   two columns of numbers that are exchanged in a part of the rows
//	ruled.go       labels that follow from a rule in a part of the rows
//	akin.go        rows that are about the same, though several fields differ
//	unlike.go      what is otherwise in another table
//	copied.go      rows of another table that are copies, though columns with a value of their own differ
//	clock.go       times of another zone, and times in the wrong order
package table
