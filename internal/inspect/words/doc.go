// Package words is texts and numbers as people write and read them: which texts are alike, and how a finding shows values.
//
// Its files, in the order in which they are read:
//
//	folded.go  texts that look the same: case, composed letters, Cyrillic and Greek look-alikes
//	alike.go   words for one group (m, male), for yes and no, one spelling of another, one letter off
//	shown.go   how a finding shows values, shares and numbers, and look-alike letters
package words
