// Package program is what every command knows of the program: where it reads and writes, and which build it is.
//
// Its files, in the order in which they are read:
//
//	streams.go  where a command reads and writes, and whether that is a terminal
//	build.go    the version of the program and its commit ("modified"), as command, documents and log have it
//
// It may import nothing of the project.
package program
