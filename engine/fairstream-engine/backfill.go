package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newBackfill(s *program.Streams) *cobra.Command {
	var flags command.Config
	var e engine
	b := backfill.Backfill{Streams: s}
	cmd := &cobra.Command{
		Use:   "backfill --input GLOB --output STATE",
		Short: "Learn years of history from files, with the workers of an engine",
		Long: `Learn a history from many files, and write a state: fairstream backfill explains it. Each pass is a job of the engine, whose
workers take in blocks of files. The sums are exact, so the state is that of fairstream backfill, bit for bit, whatever
the engine, the number of shards and the size of blocks.

The output is a file of this machine. After each pass STATE.rounds says how far the backfill is. One that was killed goes on
from there if it is called again, by fairstream-engine or by fairstream, with the same files and configuration.`,
		Example: `  fairstream-engine backfill --config config.yaml --input '/data/history/*.parquet' --output history.state
  fairstream-engine backfill -c config.yaml -i 's3://bucket/history/*.csv.gz' -o history.state --runner flink --endpoint localhost:8099`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Learning)
			if err != nil {
				return err
			}
			return e.with(s, func(files history.Files) error {
				b.Far = &files
				if err := b.Configure(loaded.Config, flags.Files()); err != nil {
					return err
				}
				return command.InWork(b.Run(cmd.Context()))
			})
		},
	}
	flags.Register(cmd)
	e.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&b.Inputs, "input", "i", nil, "files to learn from, as a `GLOB` in quotes, on disk or s3://…; may be given several times")
	f.StringVarP(&b.Output, "output", "o", "", "write the state to `FILE`")
	f.StringVar(&b.Save, "save", "", "also write the weight document to `FILE`")
	f.StringVar(&b.Format, "format", "", input.FormatUsage)
	f.StringVar(&b.TimeField, "time", "", "order records by the time in `FIELD`, as record.time.format says")
	f.IntVar(&b.Sample, "sample", 0, "find columns from `N` records (default 1000000)")
	for _, name := range []string{"input", "output"} {
		command.MustComplete(cmd.MarkFlagRequired(name))
	}
	return cmd
}
