// Package rolling keeps tallies over a whole stream and over its recent part: of the records with labels, and of all that came.
//
// Files, in reading order:
//
//	rolling.go   tallies over the stream and over the last 8,192 to 9,215 records ("recent" in documents)
//	measured.go  tallies of labelled records beside those of all that came
//
// Imports of the project: internal/codec.
package rolling
