// Package draft proposes a configuration for records that nobody has described: for init.
//
// Its files, in the order in which they are read:
//
//	described.go  what the schema of a topic changes in what init finds: times, UUIDs, numbers, symbols of an enum, fields that no
//	              record has
//	draft.go      what init proposes: label, positive value, attribute, groups, tau, record.id, record.ignore, record.missing; its flags
//	              checked against the sample; a column in words
//	ask.go        the questions of init on a terminal
//	yaml.go       the file that init writes: every key and comment (CHECK, CHOOSE, Next), ranges for numeric attributes, quoting of
//	              texts
//	request.go    init from start to end: the sample of 20,000 records, copies left out, envelopes, the job's name; errors if none can
//	              be read
//
// It may import what it describes and reads: app/english, what app/input imports, internal/format and internal/profile.
package draft
