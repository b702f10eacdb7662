// Package impact counts whom decisions select by sex and race, and prints the table of Local Law 144.
//
// Its files, in the order in which they are read:
//
//	table.go  audit impact: whose decisions count, of a file (--decision, --score) or of a job's monitor; warnings about tables that
//	          cannot be made
//
// It may import what app/cluster and app/input import, internal/export, pkg/fairness and pkg/record.
package impact
