// Package distinct tells the different values and columns of records apart, without the time and the memory that a map takes for each value of
// each record.
//
// The files:
//
//	names.go     one thing for each name of a column
//	counts.go    a number for each value of a column
//	contents.go  how many records have the same content as an earlier one
package distinct
