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
//	config.go     all sections together; checks across sections: release.limit beside tau, roles of fields, what each command needs
//	sections.go   sections topics (names, defaults, management), log and server (token, TLS), name of the job: keys and checks
//	serve.go      the section serve: keys, defaults and checks
//	signing.go    the section signing: private key read, public keys checked
//	problem.go    a problem as it is printed: source with line, key, message
//	keys.go       the list of keys with variable, default and help, for `config keys`; names of environment variables
//	shape.go      which Go types are sections, lists, tables or single values, and how each is called in messages
//	essential.go  the keys that a new user needs, for the short list
//	suggest.go    "unknown key: did you mean"
//	decode.go     YAML to values; problems of form: not a list, written twice, decimal comma, per cent, with line
//	assign.go     --set and variables: one value by its path, an entry of a list by its index
//	variables.go  FAIRSTREAM_* variables to keys; unknown ones refused; those of Kubernetes passed over
//	load.go       files, variables and flags in their order of precedence; files that are no YAML (tabs); where a value was set; a secret given as a
//	              path is not shown
//	recorded.go   the configuration that a snapshot or the history recorded, read back
//	encode.go     the configuration as YAML or JSON with secrets hidden, for `config show` and the history
//	changed.go    settings that differ from the defaults
//	schema.go     the JSON schema of the configuration, and help texts from it
package config
