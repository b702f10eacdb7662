// Package order finds out whether the newest records of a stream are unlike those before, field by field.
//
// What is measured of a model holds of records like those that it was measured on. Records that are sorted by a column come in no
// random order: the next ones are like none that came. So the values of each attribute and column are counted in cells twice, once fading
// within 2,000 records and once within 50,000, and the two are compared. Values that have come and gone before, such as the hours of
// a day, are expected to. Records that are copies of those just before them are noticed, too.
//
// Files, in reading order:
//
//	order.go  values of each field counted in cells, once in the newest 2,000 records and once in 50,000; what is looked at (one of 11)
//	moved.go  when the condition fields_moved names a field (0.04 of the records): more frequent, alone, unlike together, one long run; what came and went is
//	          no news
//	state.go  counts in a snapshot
//
// Imports of the project: internal/codec, internal/persons (copies), pkg/fairness (levels of attributes), pkg/features (columns), pkg/record.
package order
