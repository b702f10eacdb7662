// Package inspect holds records against a configuration before anything is learnt from them, and says what is
// probably not meant: labels that are all alike, fields that no record has, groups of nobody, columns that are no features or that
// give the label or the attribute away, codes for "not known", units that change.
//
//	Inspection.Add (each record) ──▶ seen.Records ──▶ checks of keys, column, relation, leak, sequence ──▶ Findings
//
// Package seen keeps what the checks need of the records. Each check is a function of what was seen and of what earlier checks found (find.Search).
// Findings show values only where a field has few, short ones that repeat.
//
// Its files, in the order in which they are read:
//
//	inspect.go  the list of all checks in their order; how many records are looked at beside learning (Enough)
package inspect
