// Package impact counts whom decisions select by sex and race, and prints the table of Local Law 144.
//
// Its files, in the order in which they are read:
//
//	table.go  the decisions of a job or of a file, and their table
//
// It may import what app/cluster and app/input import, internal/export, pkg/fairness and pkg/record.
package impact
