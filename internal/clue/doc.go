// Package clue finds columns that tell of which of two classes a record is: the classes of the label, or two groups.
//
// A column tells the class of a record before it is given that class, or by a threshold that was chosen on the first records, so a column of chance values is
// not right more often than chance. Memory is bounded, however many records and columns there are.
//
// Its files, in the order in which they are read:
//
//	vote.go        a column by its values
//	stump.go       a column by a threshold among its numbers
//	classes.go     two classes, and what each column tells of them
//	pairs.go       two columns beside each other
//	neighbours.go  columns beside the labels of the records before and after
//
// It may import pkg/record.
package clue
