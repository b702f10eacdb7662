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
//
// The files:
//
//	config.go     the whole configuration, and its checks
//	sections.go   names of jobs and topics; the sections log and `server`, with the token and its file
//	serve.go      the section `serve`
//	signing.go    whose signatures count
//	problem.go    one thing that is wrong, where, and what to do
//	keys.go       the keys and their help texts
//	shape.go      how a type is written
//	essential.go  the keys that a new user needs
//	suggest.go    what an unknown key was meant to be
//	decode.go     YAML to values
//	assign.go     one value from a variable or a flag
//	variables.go  variables that are not keys
//	load.go       all sources to one configuration
//	recorded.go   a configuration as a snapshot has it
//	encode.go     the configuration as a file, secrets hidden
//	changed.go    what differs from the defaults
//	schema.go     the JSON schema
package config
