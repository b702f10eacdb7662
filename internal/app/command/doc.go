// Package command is what every command line has: where its configuration comes from, what it says of a mistake, and whether
// the work failed or the command line was wrong.
//
// Its files, in the order in which they are read:
//
//	work.go      errors of the work, as against errors of the command line
//	flags.go     flags that are given once, unknown, or with a value of another kind
//	config.go    the flags that say where the configuration comes from
//	said.go      who asks for a command, and why
//
// It may import app/english, internal/config and internal/spelling.
package command
