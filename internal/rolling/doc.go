// Package rolling keeps tallies over a whole stream and over its recent part: of the records with labels, and of all that came.
//
// Files, in reading order:
//
//	rolling.go   a tally over the stream, and over its recent part
//	measured.go  one of the records with labels, and one of all that came
//
// Imports of the project: internal/codec.
package rolling
