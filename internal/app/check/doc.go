// Package check looks at records before learning.
//
// Its files, in the order in which they are read:
//
//	described.go what the schema of a topic says against the configuration
//	decisions.go what the section monitor says of the decisions
//	joined.go    records and the labels that come later
//	report.go    what was seen, for people
//	check.go     the records of a file, or the newest of a topic
//
// It may import app/draft, app/statement, what app/input imports, internal/format and its registry, internal/inspect,
// internal/observe and pkg/model.
package check
