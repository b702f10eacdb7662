package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/engine/internal/audit"
	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newAudit(s *program.Streams) *cobra.Command {
	var flags command.Config
	var e engine
	var inputs []string
	var files audit.Files
	cmd := &cobra.Command{
		Use:   "audit --config FILE --input GLOB",
		Short: "Count the decisions in many files by month and comparison, with the workers of an engine",
		Long: `Count the decisions in many files, and print for each month and each comparison of the constraints how many records and positive
decisions both sides have, the rates, the difference or the ratio that the constraint bounds with its interval, the impact ratio and the verdict.
The last lines are about all months together. The counts are those of fairstream monitor, for which monitor.decision or
monitor.score says where a record has its decision. Months are in UTC, by record.time; records without a time are in the month "none".`,
		Example: `  fairstream-engine audit --config monitor.yaml --input '/data/decisions/*.parquet' > audit.csv`,
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Learning)
			if err != nil {
				return err
			}
			files.Model, files.Given = loaded.Model(), loaded.Monitor.Given
			if err := files.Check(); err != nil {
				return err
			}
			return e.with(s, func(of history.Files) error {
				files.Files = of
				if err := files.Find(inputs); err != nil {
					return err
				}
				tally, err := files.Count(cmd.Context())
				if err != nil {
					return command.InWork(err)
				}
				return command.InWork(printed(s, &files.Job, tally))
			})
		},
	}
	flags.Register(cmd)
	e.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&inputs, "input", "i", nil, "files of decisions, as a `GLOB` in quotes, on disk or s3://…; may be given several times")
	f.StringVar(&files.Format, "format", "", input.FormatUsage)
	command.MustComplete(cmd.MarkFlagRequired("input"))
	return cmd
}

// printed prints the table. It is an error if nothing was counted.
func printed(s *program.Streams, job *audit.Job, tally *audit.Tally) error {
	rows, err := job.Rows(tally)
	if err != nil {
		return err
	}
	records := tally.Rejected.Total
	for _, c := range tally.Months {
		records += c.Records
	}
	tally.Rejected.Write(s.Err, records, "the input")
	if len(tally.Months) == 0 {
		return fmt.Errorf("nothing was counted: all of %d records were rejected", records)
	}
	return audit.Write(s.Out, rows)
}
