// Package inspect holds records against a configuration before anything is learnt from them, and says what is
// probably not meant: labels that are all alike, fields that no record has, groups of nobody, columns that are no features or that
// give the label or the attribute away, codes for "not known", units that change.
//
//	Inspection.Add (each record) ──▶ Counts, Columns ──▶ Findings
//
// The findings are a function of the configuration and the records in their order. Memory is bounded as that of
// internal/profile. Findings show values only where a field has few, short ones that repeat.
package inspect
