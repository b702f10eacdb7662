// Package keys checks what the keys of a configuration name: labels that teach nothing, fields that no record has, groups of nobody, weights that
// are none.
//
// Its files, in the order in which they are read:
//
//	fields.go       fields that no record has
//	labels.go       labels that teach nothing, and what is taken for them
//	identifiers.go  fields that tell records or persons apart
//	weights.go      weights of records
//	groups.go       groups of nobody, of too few, or of one label
//	spellings.go    labels and groups that are written in several ways
//	unknown.go      records that belong to no group, or to a stratum of one group
//	constraints.go  what constraints compare, and how much they allow
package keys
