// Package draft proposes a configuration for records that nobody has described: for init.
//
// Its files, in the order in which they are read:
//
//	described.go what a schema says of the columns
//	draft.go    the label, the attribute and the groups that are likeliest
//	ask.go      a person who chooses others
//	yaml.go     the configuration, with the reasons as comments
//	request.go  a sample of records, and the configuration for it
//
// It may import what it describes and reads: app/english, what app/input imports, internal/format and internal/profile.
package draft
