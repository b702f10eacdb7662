// Package compare finds what is different in the records of another table.
//
// Its files, in the order in which they are read:
//
//	chance.go  when shares or distributions of two tables differ by more than chance
//	unlike.go  when a column of the holdout differs: missing, new texts, another distribution, codes, swapped columns
//	labels.go  when the share of positive labels differs between two tables
//	copied.go  how many rows of the holdout are copies of learnt ones, though an identifier differs
package compare
