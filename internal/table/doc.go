// Package table keeps some of the records as a table, with their fields in columns, for what single records cannot show. The packages below it find
// values, pairs of columns, copies, labels and changes that are odd.
//
// A table either keeps the first records, in which copies stand beside each other, or an even selection of all. It is a function of the
// records in their order. Values are kept as numbers or as hashes, never as texts, and memory is bounded.
//
// Its files, in the order in which they are read:
//
//	samples.go  two samples of numbers
//	column.go   the values of a column, and what is made of them
//	table.go    the rows that are kept
//	levels.go   what each value of a column tells of the label
//	codings.go  columns of few texts as small numbers
//	expected.go  what scores should tell in a part by what they tell elsewhere
package table
