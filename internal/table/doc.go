// Package table keeps some of the records as a table, with their fields in columns, for what single records cannot show. The packages below it find
// values, pairs of columns, copies, labels and changes that are odd.
//
// A table either keeps the first records, in which copies stand beside each other, or an even selection of all. It is a function of the
// records in their order. Values are kept as numbers or as hashes, never as texts, and memory is bounded.
//
// Its files, in the order in which they are read:
//
//	samples.go   when two samples of numbers are alike or apart (Kolmogorov and Smirnov), and how many are needed
//	column.go    the values of a column in the rows: numbers, dates, texts counted
//	table.go     which records are kept as rows: the first, or an even selection of 4,096 at most, of 64 columns; when a text is a
//	             number
//	levels.go    rows and positive labels for each value of a column, up to 100 values
//	codings.go   columns of 2 to 19 texts as small numbers; rows in five parts of their order
//	expected.go  which area under the ROC curve scores should have in a part, by what they tell elsewhere
package table
