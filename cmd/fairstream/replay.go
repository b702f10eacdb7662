package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/model"
)

func newReplay(s *program.Streams) *cobra.Command {
	var flags command.Config
	var asked replay.Settings
	var taus, relaxations []string
	cmd := &cobra.Command{
		Use:   "replay --input FILE",
		Short: "Learn from a file in one pass, and measure what was learnt",
		Long: `Learn from a file of labelled records in one pass, in the file's order, and measure the weights on
a second file, or on a share of the records that --holdout 0.2 holds out, spread evenly over the file.
Several --input are read one after the other. Files are CSV with a header line, JSON lines, Parquet or Avro, by extension: .csv or .jsonl,
either with .gz, .parquet or .avro; - is standard input. Memory does not grow with the file.

--input adult takes the 48,842 bundled Adult records and holds out every fifth. Without a
configuration it bounds the difference between men and women at 0.05.

--tau overrides the bound of every enforced constraint. Give several, separated by commas, to learn one
model per value in a single pass. --relaxation does the same for the relaxations.

--report writes a page for a browser: what each tau costs, how each group is treated, which columns move the
groups apart, and whether scores mean what they say. The page needs no network.

--folds 5 deals the records into five holdouts in turn. Each holdout is decided by weights that were learnt
from the other four, so the table shows in how many holdouts tau was kept. The input is read twice, in its
order. Each fold and tau takes some megabytes of memory. With --save, one more model learns from all records, and is
the one that is saved.

--shuffle 7 reads the input in a random order, and holds out in this order. Use it if the file is sorted. The order
depends on the seed and the number of records alone. The records are kept in memory, up to 1 GiB.
--orders 4 repeats --folds in four orders, with the seeds SEED to SEED+3, or 1 to 4 without --shuffle.`,
		Example: `  fairstream replay --input adult
  fairstream replay --input adult --tau 0.02,0.05,0.10
  fairstream replay --input adult --folds 5
  fairstream replay --input adult --folds 5 --shuffle 7
  fairstream replay --input adult --tau 0.02,0.05,0.10 --report adult.html
  fairstream replay --config config.yaml --input train.csv --holdout test.csv --json
  fairstream replay --config config.yaml --input may.csv --input june.csv --holdout 0.2
  zstd -dc train.jsonl.zst | fairstream replay -c config.yaml --input - --format jsonl --save weights.json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := replay.New(s, asked)
			badArguments := r.CheckArguments(taus, relaxations, cmd.Flags().Changed)
			var base *config.Config
			if slices.Equal(asked.Inputs, []string{input.Bundled}) && !flags.Given() {
				base = replay.BundledConfig()
			}
			flags.Adjust = r.Adjust
			loaded, badConfig := flags.Load(cmd, base, config.Learning)
			if err := errors.Join(badArguments, badConfig); err != nil {
				return err
			}
			if err := r.Configure(loaded.Config, flags.Files()); err != nil {
				return err
			}
			return command.InWork(r.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	flags.Name(cmd, "mode", "learner.mode", "adaptive, paper or unconstrained")
	f := cmd.Flags()
	f.StringArrayVarP(&asked.Inputs, "input", "i", nil, "`FILE` to learn from, - or adult; several are read in this order")
	f.StringVar(&asked.Holdout, "holdout", "", "`FILE` to measure on, or a share of the input, such as 0.2")
	f.IntVar(&asked.Folds, "folds", 0, "divide the records into `N` holdouts, from 2 to 100, and measure on each")
	f.Uint64Var(&asked.Orders.Seed, "shuffle", 0, "read the input in the random order of `SEED`, any whole number from 0")
	f.IntVar(&asked.Orders.Number, "orders", 0, "with --folds: repeat it in `N` random orders, from 2 to 100")
	f.StringVar(&asked.Format, "format", "", input.FormatUsage)
	f.StringSliceVar(&taus, "tau", nil, "bound of every enforced constraint, or several with commas")
	f.StringSliceVar(&relaxations, "relaxation", nil, "relaxation of every enforced constraint, or several with commas")
	f.StringVar(&asked.Page, "report", "", "write a page for a browser to `FILE`")
	f.BoolVar(&asked.JSON, "json", false, "print one JSON object a tau, a line each")
	f.StringVar(&asked.Save, "save", "", "write the weight document to `FILE`")
	command.MustComplete(cmd.MarkFlagRequired("input"))
	for _, name := range []string{"input", "holdout"} {
		command.MustComplete(cmd.MarkFlagFilename(name, "csv", "jsonl", "gz", "parquet"))
	}
	command.MustComplete(cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(
		[]cobra.Completion{string(model.Adaptive), string(model.Paper), string(model.Unconstrained)}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}
