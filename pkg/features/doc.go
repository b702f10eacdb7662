// Package features turns the fields of a record into a sparse row: the indices of the weights that apply to the record,
// and the factors that they apply with. It is independent of models, groups of people and streams.
//
// A Frozen encoder is read-only: columns, their bins or levels, and the weight of each. It is all that a scorer needs.
// A Learning encoder is a Frozen one that grows: it meets new columns and levels and gives them weights. Two of its
// methods learn, and no others:
//
//   - Encode learns what is new in a record's fields.
//   - Reveal learns from how far the prediction was off. It changes the encoding of later records only, and may take
//     new weights for it.
//
// What an encoder has fixed never changes, so a weight keeps its meaning for good. The order of a record's fields makes
// no difference: columns are numbered in the order in which records bring them, those of one record by name, and the
// non-zeros of a row come in the order of the columns.
//
// A file uses only those before it:
//
//	row.go         the non-zeros of a record
//	packed.go      a row in little memory, as windows keep it
//	config.go      keys learner.columns, crosses, vocabulary: defaults and checks
//	bins.go        texts as numbers, and quantile bins with frequent values apart
//	column.go      how the values of one column become weights: levels, bins, piecewise-linear, standardized; a column that was read is checked
//	infer.go       type of a column from its first values (95 % numbers); robust bounds of its slope, amounts by their root, absent numbers as 0, rare counts
//	vocabulary.go  levels and crosses with a weight of their own, and buckets that others share
//	cross.go       combinations of columns
//	layout.go      which field of a record is which column
//	memory.go      which weights a text was encoded to, remembered for speed; cells of values
//	frozen.go      the read-only encoder; columns whose value is of another type than was learnt
//	promotion.go   which levels, numbers and combinations get weights of their own, and when bins do
//	learning.go    the encoder that grows: new columns and levels; a field like an attribute that no record has is no feature; columns left out or
//	               beyond learner.vocabulary.columns
//	groups.go      weights that belong together, for priors and penalties; earned bins; the column that fills the vocabulary; columns of one value
//	state.go       what a snapshot saves
//
// Imports of the project: internal/codec, pkg/record.
package features
