// Package program is what every command knows of the program: where it reads and writes, and which build it is.
//
// Its files, in the order in which they are read:
//
//	streams.go  where a command reads and writes
//	build.go    what go build stamped into the program
//
// It may import nothing of the project.
package program
