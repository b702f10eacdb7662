// Package output writes the files that a command was asked for, and replaces none of another kind.
//
// Its files, in the order in which they are read:
//
//	file.go  which files --save, --output and --report may replace (only their own kind), no directory, not an input; written whole or
//	         not at all
//
// It may import nothing of the project.
package output
