// Package relation checks records and columns beside each other: copies, one field under two names, columns that are exchanged, units that depend on
// another column.
//
// Its files, in the order in which they are read:
//
//	copies.go     records that are the same, or about the same
//	twins.go      columns that follow from each other, or are one field
//	exchanged.go  columns that are exchanged, and cells in the wrong column
//	scaled.go     numbers whose unit depends on another column
package relation
