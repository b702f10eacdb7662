package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/engine/internal/scoring"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
)

func newScore(s *program.Streams) *cobra.Command {
	var e engine
	scores := scoring.Scores{Streams: s}
	cmd := &cobra.Command{
		Use:   "score --model FILE --input GLOB --output FOLDER",
		Short: "Score the records of many files, with the workers of an engine",
		Long: `Score the records of many files with a saved model, and write a file of decisions for each block: NAME.00000.csv, NAME.00001.csv and so on for
the input NAME. All of these one after the other, in the order of their names, are byte for byte what fairstream score
writes for the file. Lines keep the order of the records.`,
		Example: `  fairstream-engine score --model weights.json --input '/data/people/*.csv' --output /data/decisions
  cat /data/decisions/part-0.csv.*`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if scores.Document, err = os.ReadFile(scores.From); err != nil {
				return err
			}
			return e.with(s, func(files history.Files) error {
				scores.Files = files
				if err := scores.Check(cmd.Context()); err != nil {
					return err
				}
				return command.InWork(scores.Score(cmd.Context()))
			})
		},
	}
	e.register(cmd)
	f := cmd.Flags()
	f.StringVar(&scores.From, "model", "", "weight document in a `FILE`")
	f.StringArrayVarP(&scores.Inputs, "input", "i", nil, "files of records, as a `GLOB` in quotes, on disk or s3://…; may be given several times")
	f.StringVarP(&scores.Output, "output", "o", "", "write decisions to files in `FOLDER`, on disk or s3://…")
	f.StringVar(&scores.Format, "format", "", input.FormatUsage)
	f.StringVar(&scores.ID, "id", "", "`FIELD` that identifies a record (default: as the document says)")
	f.BoolVar(&scores.JSON, "json", false, "write JSON lines instead of CSV")
	f.StringSliceVar(&scores.Keep, "keep", nil, "repeat these `FIELDS` of the input in each line: a,b or all")
	f.Float64Var(&scores.Explore, "explore", 0, "turn this `SHARE` of the negative decisions to positive, chosen by a hash of the identifier")
	for _, name := range []string{"model", "input", "output"} {
		command.MustComplete(cmd.MarkFlagRequired(name))
	}
	return cmd
}
