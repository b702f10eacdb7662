package main

import (
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newBackfill(s *program.Streams) *cobra.Command {
	var flags command.Config
	b := backfill.Backfill{Streams: s}
	cmd := &cobra.Command{
		Use:   "backfill --input GLOB --output STATE",
		Short: "Learn years of history from files, on all cores",
		Long: `Learn a history from many files, and write a state. Records are not learnt one after the other: every pass
sums what all of them say about the weights, on all cores, and about twenty passes find the best weights, with and
without constraints. The sums are exact, so the order of files and the number of cores change no bit.

The newest half of the records, at most as many as fill the windows of the constraints, is in no sum. An ordinary learner begins
with the weights of the sums and learns these records one by one. What it measures is therefore of records that it had not seen.

Records are ordered by file name and position, or by --time FIELD. Columns are found from the million records with the lowest
hash of file name and position. At most 4 comparisons are enforced; regression, strata and mode paper are refused.

After each pass STATE.rounds says how far the backfill is. One that was killed goes on from there if it is called again with
the same files and configuration.`,
		Example: `  fairstream backfill --config config.yaml --input 'history/*.parquet' --output history.state
  fairstream backfill -c config.yaml -i '2024/*.csv.gz' -i '2025/*.csv.gz' --time created --output history.state --save weights.json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Learning)
			if err != nil {
				return err
			}
			if err := b.Configure(loaded.Config, flags.Files()); err != nil {
				return err
			}
			return command.InWork(b.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&b.Inputs, "input", "i", nil, "files to learn from, as a `GLOB` in quotes; may be given several times")
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
