// Package draft proposes a configuration for records that nobody has described: for init.
//
// Its files, in the order in which they are read:
//
//	described.go what a schema says of the columns
//	draft.go    what is proposed: label, attribute, groups, texts that count as missing
//	ask.go      a person who chooses others
//	yaml.go     the proposal as a file, with the reasons as comments
//	request.go  a sample of records, and the configuration for it
//
// It may import what it describes and reads: app/english, what app/input imports, internal/format and internal/profile.
package draft
