// Command fairstream-engine learns a history, scores and audits on an engine of Apache Beam: Prism, in this process, or a cluster of Flink.
//
//	fairstream-engine backfill --config config.yaml --input 's3://bucket/history/*.parquet' --output history.state
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// Exit codes, as of fairstream.
const (
	done   = 0
	failed = 1 // the work went wrong
	misuse = 2 // the command line or the configuration is wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &program.Streams{In: stdin, Out: stdout, Err: stderr}
	root := command.Group(&cobra.Command{
		Use:   "fairstream-engine",
		Short: "Learn a history, score and audit on an engine of Apache Beam",
		Long: `fairstream-engine does with many workers what fairstream does with the cores of one machine, and comes to the
same results bit for bit. Without further flags it runs on Prism, in its own process.`,
		Version:       program.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}, newBackfill(s), newScore(s), newAudit(s), newWorkers(s))
	root.SetFlagErrorFunc(command.NoSuchFlag)
	command.Strict(root)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	used, err := root.ExecuteContextC(ctx)
	if err == nil {
		return done
	}
	_, _ = fmt.Fprintf(stderr, "fairstream-engine: %s\n", strings.ReplaceAll(err.Error(), "\n", "\n  "))
	if errors.As(err, new(command.WorkError)) {
		return failed
	}
	if !errors.As(err, new(config.Problems)) {
		_, _ = fmt.Fprintf(stderr, "See %s --help.\n", used.CommandPath())
	}
	return misuse
}
