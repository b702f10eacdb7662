package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/jobs"
	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
)

func newRun(s *program.Streams) *cobra.Command {
	var flags command.Config
	r := process.Job{Streams: s, Kind: board.Run}
	cmd := &cobra.Command{
		Use:   "run --config FILE|DIR",
		Short: "Learn from a Kafka topic, and publish the weights",
		Long: `Learn from the input topic until a signal stops the process, and publish the weights on the model topic.
The state is saved on the state topic together with the offsets. However the process ends, the next one
continues from the last snapshot, and every record is learnt exactly once. Rejected records go to the
dead-letter topic.

On SIGTERM or Ctrl-C, fairstream saves, publishes and exits; a second signal ends it at once. While Kafka
is unreachable it waits, and /readyz answers 503. A job has one process at a time: a second one takes
over from the first.

If --config names a directory, each of its files (*.yaml, *.yml) configures a job, and all run in this process. Files named
before the directory hold what all jobs have in common; those named after it win. A file that is wrong is refused, and the
others run. SIGHUP, or a changed file, begins, replaces and ends jobs without touching the others.

A page, its data, health, metrics and the log level are served over HTTP (server.address): open
http://127.0.0.1:8468/ in a browser.`,
		Example: `  fairstream run --config config.yaml
  fairstream run --config config.yaml --until-end
  fairstream run --config common.yaml --config jobs/
  curl localhost:8468/api/v1/status`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if named := flags.Files(); jobs.Many(named) {
				load := func(files []string) (*config.Loaded, error) { return flags.LoadFiles(cmd, nil, files, config.Running) }
				found := jobs.Scan(named, load)
				if err := found.Err(); err != nil {
					return err
				}
				p := jobs.Process{Streams: s, Named: named, Load: load, UntilEnd: r.UntilEnd, BeginAgain: r.BeginAgain, Said: r.Said}
				return command.InWork(p.Run(cmd.Context(), found))
			}
			loaded, err := flags.Load(cmd, nil, config.Running)
			if err != nil {
				return err
			}
			r.Config, r.Files = loaded, flags.Files()
			return command.InWork(r.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	r.Said.Register(cmd)
	cmd.Flags().BoolVar(&r.BeginAgain, "begin-again", false, "learn from stream.start although weights are published: their state is gone")
	cmd.Flags().BoolVar(&r.UntilEnd, "until-end", false, "learn what the topic holds now, save, publish and exit")
	return cmd
}
