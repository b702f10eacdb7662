// Package manual makes man pages, and the reference of commands for the site, from what the program itself prints: its help
// is laid out by cobra, and every command has one.
//
// Its files, in the order in which they are read:
//
//	commands.go  all commands of the program, by their help
//	pages.go     a man page a command
//	markdown.go  one document of all commands
//
// It may import nothing of the project.
package manual
