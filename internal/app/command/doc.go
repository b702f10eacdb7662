// Package command is what every command line has: where its configuration comes from, what it says of a mistake, and whether
// the work failed or the command line was wrong.
//
// Its files, in the order in which they are read:
//
//	work.go    which errors give exit code 1 (the work failed) rather than 2 (the command line is wrong)
//	flags.go   what is said of a wrong command line: unknown command or flag, flag given twice, bad value, stray argument, values of
//	           --tau with spaces
//	config.go  --config and --set; "no configuration file was named", a file named twice; the settings that check and replay list as not
//	           the defaults
//	said.go    the flags --actor and --reason
//
// It may import app/english, internal/config and internal/spelling.
package command
