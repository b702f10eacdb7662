// Package words is texts and numbers as people write and read them: which texts are alike, and how a finding shows values.
//
// Its files, in the order in which they are read:
//
//	folded.go  texts that look the same
//	alike.go   texts that are one value, one group or one answer
//	shown.go   values, shares and names as a finding shows them
package words
