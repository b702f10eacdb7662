// Package relation checks records and columns beside each other: copies, one field under two names, columns that are exchanged, units that depend on
// another column.
//
// Its files, in the order in which they are read:
//
//	copies.go     records that are copies, copies but for one field or the label, or versions of one record
//	twins.go      a column that follows from another (two currencies); one field under two names (record.renamed)
//	exchanged.go  two columns swapped in some records or from some record on; cells one column off
//	scaled.go     a unit or currency that depends on another column
package relation
