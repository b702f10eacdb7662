// Package check looks at records before learning.
//
// Its files, in the order in which they are read:
//
//	report.go  what was seen, for people
//	check.go   the records of a file, or the newest of a topic
//
// It may import app/draft, what app/input imports, internal/format/registry, internal/inspect
// and pkg/model.
package check
