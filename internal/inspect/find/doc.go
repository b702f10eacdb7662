// Package find is what checks share: a finding, and the questions that they ask of what was seen.
//
// Its files, in the order in which they are read:
//
//	finding.go  what a finding is: fatal or not, its key, its text
//	search.go   what earlier checks found, "did you mean" among fields, the text of a value
//	ask.go      which columns a check looks at: learnt, read, varied, told already; at least 200 records
package find
