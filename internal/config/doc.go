// Package config is the configuration of every command: one struct, its defaults, and where its
// values come from.
//
//	Default ─▶ YAML files ─▶ FAIRSTREAM_* variables ─▶ flags ─▶ WithDefaults ─▶ Validate ─▶ Config
//	           decode.go     assign.go                 assign.go
//
// Later sources win key by key; a list is replaced as a whole. Every value remembers which source set
// it, down to the line, so that a problem found at the end still says where to look. All problems
// come at once.
//
// The keys, their variables and their help texts are derived from the struct (keys.go), so none of
// them can be forgotten.
//
// It may import pkg/record, pkg/model and internal/kafka, whose sections it holds.
package config
