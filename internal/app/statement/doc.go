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
//	values.go     the values of a column in the sample: numbers, times, texts kept (100 at most), when a column is numeric or a time
//	sample.go     which records the plain words are about: an even selection of 16,384 rows at most, fewer for replay
//	compare.go    when a column differs between two parts of the rows by more than chance: missing, written otherwise, numbers, texts
//	telling.go    how well columns tell two classes apart (of 100 pairs, naive Bayes on halves), with its deviation; when that is chance
//	words.go      a difference, a number or a date in words; the lines "- Heading:", and how many questions are counted
//	decision.go   line Decision: what a positive decision means, exactly half, quarters unlike, labels that are a harm or somebody's
//	              decision (lists of words)
//	limits.go     lines Limit: what a constraint allows, rates of labels by group, in neither group, the rest, tau too wide, gaps by
//	              quarter
//	columns.go    lines Columns, Groups, Labels: what columns tell of the label and the groups, alone and together; groups told the
//	              other way round in a part; filled in otherwise
//	numbers.go    lines Numbers, Not known, Together 0, Always the same: ends and middle, a frequent value filled in for the mean,
//	              standardized, shares missing, records joined to nothing
//	times.go      lines Times and Weights: from when to when, newest first, a number counted up to one day, delays of labels
//	              (record.label.time, stream.labels.age), record.weight, record.propensity
//	parts.go      lines Parts and Gaps: where the columns tell nothing of the label, a column that goes the other way round, or is
//	              missing or in another unit
//	rare.go       lines Rare and Rules: values of a few records, texts cut off, rules that a few records break (A at most B, B follows
//	              from A)
//	copies.go     line Copies: records put in twice, too few different records, identifiers that come again; held-out records that were
//	              learnt
//	order.go      lines Order and Holdout: columns that change on the way, held-out records unlike the learnt ones or older
//	              (record.time), files exchanged
//	statement.go  "In plain words": all lines in their order, line Settings
//
// It may import app/english, form below it, internal/chance, internal/distinct, internal/profile, internal/table, pkg/fairness, pkg/model and pkg/record.
package statement
