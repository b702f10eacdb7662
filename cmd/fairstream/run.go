package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/jobs"
	"github.com/fairstream/fairstream/internal/app/process"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newRun(s *program.Streams) *cobra.Command {
	var flags command.Config
	r := process.Job{Streams: s, Kind: board.Run}
	var start backfill.Start
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
http://127.0.0.1:8468/ in a browser.

--start-from takes the state that fairstream backfill learnt from files as the first one of a job. --start-offsets or --start-time
says where the topic goes on. A restart with the same flags goes on from the last snapshot; a job that has a state which did
not begin from this file is an error.`,
		Example: `  fairstream run --config config.yaml
  fairstream run --config config.yaml --until-end
  fairstream run --config common.yaml --config jobs/
  fairstream run --config config.yaml --start-from history.state --start-time 2026-11-01T00:00:00Z
  curl localhost:8468/api/v1/status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if named := flags.Files(); jobs.Many(named) {
				if start.Given() {
					return errors.New("--start-from begins one job: run it with the configuration of that job alone first")
				}
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
			if start.Given() {
				if r.From, err = start.Read(loaded.Model()); err != nil {
					return err
				}
				if start.Time != "" {
					r.Config.Stream.Start = start.Time
				}
			}
			err = r.Run(cmd.Context())
			if _, other := errors.AsType[*stream.OtherState](err); other {
				return err
			}
			if _, wrong := errors.AsType[*stream.WrongOffsets](err); wrong {
				return err
			}
			return command.InWork(err)
		},
	}
	flags.Register(cmd)
	r.Said.Register(cmd)
	cmd.Flags().StringVar(&start.From, "start-from", "", "begin from the state in `FILE`, which fairstream backfill wrote")
	cmd.Flags().StringVar(&start.Offsets, "start-offsets", "", "with --start-from, the first offset of each partition to learn, as `LIST`: 0:1200,1:980")
	cmd.Flags().StringVar(&start.Time, "start-time", "", "with --start-from, learn the records of the topic from `TIME` on, such as 2026-11-21T08:30:00Z")
	cmd.MarkFlagsMutuallyExclusive("start-offsets", "start-time")
	cmd.Flags().BoolVar(&r.BeginAgain, "begin-again", false, "learn from stream.start although weights are published: their state is gone")
	cmd.Flags().BoolVar(&r.UntilEnd, "until-end", false, "learn what the topic holds now, save, publish and exit")
	return cmd
}
