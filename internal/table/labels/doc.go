// Package labels finds what goes with the labels of a table, and where it does not as elsewhere.
//
// Its files, in the order in which they are read:
//
//	telling.go  values that only records of one label have
//	settled.go  values whose labels are all alike by a rule
//	points.go   numbers with the label beside them
//	jump.go     a number at which labels change
//	decided.go  a part of the rows in which one column decides the label
//	binned.go   columns as small numbers, and what they tell of the label
//	flipped.go  labels that are turned round in a part of the rows
//	ending.go   labels that are all alike at an end of time
package labels
