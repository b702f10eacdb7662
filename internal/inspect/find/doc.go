// Package find is what checks share: a finding, and the questions that they ask of what was seen.
//
// Its files, in the order in which they are read:
//
//	finding.go  what is probably not meant
//	search.go   what was seen, and what was found of it so far
//	ask.go      which columns a check looks at
package find
