// Package output writes the files that a command was asked for, and replaces none of another kind.
//
// Its files, in the order in which they are read:
//
//	file.go  what may be replaced, and a file that is never there in part
//
// It may import nothing of the project.
package output
