// Command fairstream learns fair linear classifiers from streams of labelled records.
//
// Each subcommand is a file of its own: demo.go, replay.go, run.go, broker.go and so on. What they share:
//
//	main.go      exit codes
//	root.go      the list of subcommands, and how configurations are found
//
// It may import every package of the project.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/atonce"
	"github.com/fairstream/fairstream/internal/config"
)

// Exit codes.
const (
	done   = 0
	failed = 1 // the work went wrong
	misuse = 2 // the command line or the configuration is wrong
)

// garbagePercent is by how much the heap may grow before memory is collected, if GOGC does not say: half of what Go takes.
// Most of the heap are the windows of recent records. They live long and hold few pointers, so that collecting twice as
// often takes no time that could be measured (docs/performance.md).
const garbagePercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	os.Exit(run(atonce.Stopped(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code. Configuration variables come from the
// environment of the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(&program.Streams{In: stdin, Out: stdout, Err: stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return done
	}
	// An error may join several, a line each.
	fmt.Fprintf(stderr, "fairstream: %s\n", strings.ReplaceAll(err.Error(), "\n", "\n  "))
	if errors.As(err, new(workError)) {
		return failed
	}
	if !errors.As(err, new(config.Problems)) {
		fmt.Fprintf(stderr, "See %s --help.\n", command.CommandPath())
	}
	return misuse
}

// workError marks an error of the work, as against one of the command line.
type workError struct{ error }

func (e workError) Unwrap() error { return e.error }

// inWork marks err.
func inWork(err error) error {
	if err == nil {
		return nil
	}
	return workError{err}
}
