// Package leak checks what gives the label or the group of a record away.
//
// Its files, in the order in which they are read:
//
//	label.go   columns that give the label away
//	values.go  single values that give the label away, and columns that hold the label of the next record
//	group.go   columns and values that give the group away
package leak
