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
//	config.go      the settings
//	bins.go        texts as numbers, and quantile bins
//	column.go      how the values of one field become weights
//	infer.go       types and bins from the first values of a column
//	vocabulary.go  levels, the columns and crosses that they belong to, and their weights
//	cross.go       combinations of columns
//	layout.go      which field of a record is which column
//	memory.go      which weights a text was encoded to, remembered
//	frozen.go      the read-only encoder
//	promotion.go   which levels and bins get weights of their own
//	learning.go    the encoder that grows
//	groups.go      weights that belong together, for priors and penalties, and which columns have the levels
//	state.go       what a snapshot saves
//
// Imports of the project: internal/codec, pkg/record.
package features
