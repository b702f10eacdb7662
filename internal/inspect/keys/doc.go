// Package keys checks what the keys of a configuration name: labels that teach nothing, fields that no record has, groups of nobody, weights that
// are none.
//
// Its files, in the order in which they are read:
//
//	fields.go       fields that the configuration names and no record has; several names in one text
//	labels.go       no label, one label only, rejected records, more than two values, a positive value that says no
//	identifiers.go  record.id and record.key with few values, labels before their record, stream.labels.age too short, several records
//	                of one person (monitor.cluster)
//	weights.go      record.weight under which few records count, or that is an attribute or an amount
//	groups.go       groups of nobody or too few, of a text in record.missing, labels of a group all alike, attribute missing, a range
//	                written as text; no enforced constraint can be measured
//	spellings.go    labels and groups that records write in several ways, mistyped or as codes
//	unknown.go      attribute or strata missing in most records, or beside other labels; strata with one group only
//	constraints.go  no constraint or none enforced, tau too wide, the same comparison twice, a group that is one number, "unknown"
//	                counted as rest, label and attribute exchanged, an attribute as feature
package keys
