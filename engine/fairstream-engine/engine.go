package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/engine/internal/deal"
	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/engine/internal/storage"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
)

// engine is the flags that all commands have: where they run, and how work is dealt.
type engine struct {
	deal.Deal
	blockMegabytes int64
}

func (e *engine) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.Name, "runner", "prism", "`RUNNER` of Beam: prism, in this process, or flink")
	f.StringVar(&e.Endpoint, "endpoint", "", "`ADDRESS` of Beam's job server for Flink, such as localhost:8099")
	f.StringVar(&e.Workers, "workers", "", "`ADDRESS` of fairstream-engine workers beside each task manager (default: this process works)")
	f.IntVar(&e.Parallelism, "parallelism", 0, "have the engine work on `N` shards at the same time (default as it is configured)")
	f.IntVar(&e.Shards, "shards", 16, "deal the blocks to `N` shards; the result does not depend on it")
	f.Int64Var(&e.blockMegabytes, "block", 64, "cut files into blocks of about `N` megabytes, where their format allows it")
	f.StringVar(&e.Folder, "temp", "", "`FOLDER` for what workers are told and return, which all reach under this name (default: one of this machine)")
}

// check says what does not fit together on the command line.
func (e *engine) check() error {
	switch {
	case e.Shards < 1:
		return errors.New("--shards is below 1")
	case e.blockMegabytes < 1:
		return errors.New("--block is below 1")
	case e.Workers != "" && e.Folder == "":
		return errors.New("--workers needs --temp: a folder that this process and all workers reach, such as s3://bucket/temp")
	case e.Workers != "" && !storage.IsAddress(e.Folder) && !strings.HasPrefix(e.Folder, "/"):
		return errors.New("--temp: workers in other processes do not know the working directory: give the whole path")
	}
	return e.Check()
}

// with has a command work with files on the engine.
func (e *engine) with(s *program.Streams, do func(files history.Files) error) (err error) {
	if err := e.check(); err != nil {
		return err
	}
	e.Tell = func(attempt int, err error) {
		english.Fprintf(s.Err, "The engine failed, and tries again (%d): %v\n", attempt, err)
	}
	if e.Folder == "" {
		if e.Folder, err = os.MkdirTemp("", "fairstream-engine-*"); err != nil {
			return command.InWork(err)
		}
		defer func() { _ = os.RemoveAll(e.Folder) }() // what stays behind does no harm
	}
	return do(history.Files{Deal: e.Deal, BlockBytes: e.blockMegabytes << 20})
}

func newWorkers(s *program.Streams) *cobra.Command {
	port := 0
	cmd := &cobra.Command{
		Use:   "workers --port PORT",
		Short: "Be the pool of workers that an engine asks for work",
		Long: `Be a pool of workers for an engine, until a signal ends it. One has to run on the machine of each task manager, at the
port that the other commands are told with --workers localhost:PORT. It listens on the loopback interface only.`,
		Example: `  fairstream-engine workers --port 50000
  fairstream-engine backfill --runner flink --endpoint localhost:8099 --workers localhost:50000 --temp s3://bucket/temp …`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			address, stop, err := deal.Serve(cmd.Context(), port)
			if err != nil {
				return command.InWork(err)
			}
			_, _ = fmt.Fprintf(s.Out, "Workers at %s.\n", address)
			<-cmd.Context().Done()
			if err := stop(); err != nil && !errors.Is(err, context.Canceled) {
				return command.InWork(err)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "listen on `PORT`")
	command.MustComplete(cmd.MarkFlagRequired("port"))
	return cmd
}
