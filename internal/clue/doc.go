// Package clue finds columns that tell of which of two classes a record is: the classes of the label, or two groups.
//
// A column tells the class of a record before it is given that class, or by a threshold that was chosen on the first records, so a column of chance values is
// not right more often than chance. Memory is bounded, however many records and columns there are.
//
// Its files, in the order in which they are read:
//
//	vote.go        a column that tells the class by its values
//	stump.go       a column that tells it by a threshold among its numbers
//	classes.go     from when on a column gives a class away: few wrong, one side only, by having a value, by being above 0
//	pairs.go       two columns beside each other: which is larger or present; columns of which one follows from the other
//	neighbours.go  columns held against the labels of the records before and after, for lines that are shifted
//
// It may import pkg/record.
package clue
