// Package statement says in plain words what records mean under a configuration: what is decided, which limit holds for whom, what columns tell, from where to
// where their numbers go, what is not known, and what changes on the way. A warning finds the mistakes that somebody has thought of; a person who reads
// what is so may recognise others.
//
//	Sample.Add (each record) ──▶ Write
//
// What is said is a function of the configuration and the records in their order. Memory and time are bounded: see the constants. Texts are shown only of
// columns with few, short ones.
//
// Its files, in the order in which they are read:
//
//	values.go     what a column holds, and how many records have a content that came before
//	sample.go     an even selection of the records
//	compare.go    how columns differ between two parts of the rows
//	telling.go    how well columns tell which of two classes a row is of
//	words.go      numbers, shares and differences in words
//	decision.go   what is decided
//	limits.go     what each constraint allows, and whom it compares
//	columns.go    what columns tell of the label and of the groups, and beside which label they are filled in
//	numbers.go    where numbers begin and end, and what is not known
//	times.go      from when to when times go, and how records are weighed
//	parts.go      texts of a column where others tell less of the label, or are missing
//	rare.go       what few values are, and rules that a few records break
//	copies.go     records that equal others of the file, or were learnt
//	order.go      what changes on the way, and what records are like that are held out
//	statement.go  the lines in their order
//
// It may import app/english, form below it, internal/chance, internal/distinct, internal/profile, internal/table, pkg/fairness, pkg/model and pkg/record.
package statement
