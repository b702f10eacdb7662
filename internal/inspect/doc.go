// Package inspect holds records against a configuration before anything is learnt from them, and says what is
// probably not meant: labels that are all alike, fields that no record has, groups of nobody, columns that are no features or that
// give the label or the attribute away, codes for "not known", units that change.
//
//	Inspection.Add (each record) ──▶ Counts, Columns ──▶ Findings
//
// The findings are a function of the configuration and the records in their order. Memory is bounded as that of
// internal/profile. Findings show values only where a field has few, short ones that repeat.
//
// Its files, in the order in which they are read:
//
//	inspect.go    what is kept of the records
//	counts.go     what was counted of groups, labels and columns
//	findings.go   the search: labels and fields
//	sides.go      groups of nobody, of too few, or of one label
//	named.go      fields that the configuration names
//	labels.go     labels in the order of their records, and labels and groups beside the wrong record
//	folded.go     texts that look the same
//	alike.go      labels in several spellings, copies, constraints that say the same
//	reach.go      which differences so many records can show
//	columns.go    columns that are no features, or not what they seem, and lines that are sums of others
//	numbers.go    codes for "not known", numbers of two kinds, names of codes
//	written.go    texts that are written in several ways
//	swallowed.go  lines of a file that a quotation mark makes one text of
//	misread.go    texts and numbers that were cut off, and texts that no person wrote
//	listed.go     values in record.missing that mean something
//	units.go      units that change on the way
//	shift.go      groups that are sorted, or missing with the label
//	strata.go     strata with one group only
//	swapped.go    two columns that are exchanged on the way
//	leak.go       columns that give the label away
//	proxy.go      columns that give the attribute away
//	beside.go     what columns show beside each other
//	names.go      names and single values that say that something else is meant
//	parted.go     columns that tell what is to be held out
//	declared.go   keys that do not go with the records, numbers that are cut off or stand beside ranges
//	relations.go  columns that are exchanged, labels that follow a rule, records that are about the same, times of another zone, sorted records
//	held.go       records that are held out beside those that were learnt
//	parts.go      labels that are turned round, texts renamed and numbers rounded in a part of the records
package inspect
