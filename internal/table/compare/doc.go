// Package compare finds what is different in the records of another table.
//
// Its files, in the order in which they are read:
//
//	chance.go  what chance makes of two samples
//	unlike.go  columns whose values are others in another table
//	labels.go  shares of positive labels that differ in another table
//	copied.go  rows of another table that are copies, though columns with a value of their own differ
package compare
