package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/fairstream/fairstream/internal/app/command"
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

func main() {
	idle := collectSooner()
	code := run(atonce.Stopped(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(idle)
	os.Exit(code)
}

// run executes one command line and returns the exit code. Configuration variables come from the
// environment of the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(&program.Streams{In: stdin, Out: stdout, Err: stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	used, err := root.ExecuteContextC(ctx)
	if err == nil {
		return done
	}
	// An error may join several, a line each.
	fmt.Fprintf(stderr, "fairstream: %s\n", strings.ReplaceAll(err.Error(), "\n", "\n  "))
	if errors.As(err, new(command.WorkError)) {
		return failed
	}
	if !errors.As(err, new(config.Problems)) {
		fmt.Fprintf(stderr, "See %s --help.\n", used.CommandPath())
	}
	return misuse
}
