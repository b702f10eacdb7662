// Package profile looks at a sample of records and says what their columns are: numbers, categories,
// booleans, identifiers, time stamps, free text, columns with one value, numbers that texts spoil; and which of
// them are likely to be a label or a protected attribute.
//
//	Profile.Add (each record) ──▶ tally (one per column) ──▶ Profile.Columns ──▶ Labels, Attributes
//
//	Copies.Add (each record) ──▶ Copies.Found: records that are the same as an earlier one
//
// The result is a function of the records and their order. Memory is bounded, whatever the records hold: see
// the constants. Record values are personal data: the result shows texts only where a column has few, short
// ones that repeat.
//
// # Rules
//
// A column is what the first of these says, with n the number of its values that are not missing:
//
//   - empty: n is 0; constant: one value.
//   - boolean: only true and false, or yes and no, in any case.
//   - time: at least 95 % are dates or times, or all are plausible Unix times.
//   - identifier: UUIDs, addresses (IP, e-mail), telephone numbers; or at least 20 values of which nine in ten are different,
//     and which are no numbers; whole numbers that are all different and rise, or have one width of six
//     digits or more, or a name such as customer_id.
//   - number: all are numbers. Formatted number: more than 20 values, all but one in twenty numbers, some of them with
//     separators, currency or percent signs, which make them texts. Spoilt number: at least eight in ten are numbers.
//   - free text: three words or more on average, most of them different.
//   - many values: more than 100 different values that are a fifth or more of all; otherwise category.
//
// # Columns that are no features beyond doubt
//
// A learner leaves such a column out. It has at least 100 values, and is
//
//   - an identifier or a formatted number of texts, 95 % of them different; or of whole numbers that count the records one by one, or that have
//     the name of an identifier and are different in 95 %;
//   - free text, 90 % of it different;
//   - a time written as text, half of the values different.
//
// The files:
//
//	profile.go     how many columns and values of a sample are remembered
//	tally.go       what one column holds: numbers, texts, dates by day or month first; which texts are boolean
//	forms.go       which texts are times, "never", UUIDs, addresses or telephone numbers
//	formatted.go   which texts are formatted numbers: separators, currency, per cent
//	names.go       lists of words: names of labels, attributes, identifiers, times, codes (zip, postcode), decisions, weights, persons,
//	               ages; words for "unknown"; a header missing
//	kind.go        the kind of a column: number, category, identifier, time, free text, many values, spoilt, formatted
//	certain.go     columns that a learner leaves out of the features (columns_left_out): identifiers, times, free text beyond doubt
//	positive.go    which value of a label is positive: words that affirm and deny; none for the codes 1 and 2
//	doubt.go       what speaks against a column named as an attribute: yes and no, columns about machines
//	candidates.go  init: which columns may be label or attribute, in which order; words of sex, race and the like as codes; an attribute
//	               in several columns (sex_female); a status of several values; groups
//	copies.go      records that are copies, beyond chance
package profile
