// Package check looks at records before learning.
//
// Its files, in the order in which they are read:
//
//	described.go  errors from the schema of the topic: fields it lacks, types that no weight or time has, symbols of an enum, labels
//	              that are never missing
//	decisions.go  findings about the section monitor: decisions or scores missing or all alike, scores turned round, per cent against
//	              threshold, names of refusals
//	joined.go     label messages joined with their records by record.key: how many joined, alone or early, and their delays
//	report.go     what check prints: label, table of groups, which tau is within reach, table of fields and their roles, Error and
//	              Warning lines in order
//	check.go      check from start to end: of a file or the newest 20,000 records of a topic, and its error (exit code 1)
//
// It may import app/draft, app/statement, what app/input imports, internal/format and its registry, internal/inspect,
// internal/observe and pkg/model.
package check
