package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/score"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/scoring"
)

func newScore(s *program.Streams) *cobra.Command {
	var flags command.Config
	var from, format string
	var explore float64
	file := score.File{Streams: s}
	topics := score.Topics{Streams: s}
	cmd := &cobra.Command{
		Use:   "score --input FILE | --from TOPIC --to TOPIC",
		Short: "Score the records of a file, or of a topic",
		Long: `Score the records of a file with a saved model. --model names its weight document; without it, the
newest document of the job on its model topic is used, or with --alias the one that an alias points to.

The output has one line for each record of the input, in its order: the score and the decision. A higher
score means that the positive label is more likely; under constraints it is not a calibrated probability.
For a regression model, the score is the predicted value and there is no decision. For a record that
cannot be decoded, the line gives the reason. A line also has the margin, whose sign decides, the calibrated
probability of the positive label, and the version and the SHA-256 of the weights. As CSV the columns are id,
score, decision, rejected, margin, version, weights_sha256 and probability. A regression has no decision,
margin and probability. Weights of mode paper, or of an older program, have no probability. --keep repeats
fields of the input: as further columns of CSV, or as texts under "kept" in JSON.

The document defines how records are read. Records need no labels.

With --from and --to, score decides the records of a topic until a signal stops it. It uses the stable version
of the job, or the latest version until there is a stable one. It follows new versions, and verifies each.
Every record gets exactly one decision, in transactions. A decision is a JSON object with score, decision,
probability, version, term, alias, and the topic, partition and offset of its record.`,
		Example: `  fairstream replay --input adult --save weights.json
  fairstream score --model weights.json --input people.csv --json
  fairstream score --model weights.json --input people.csv --keep name,city
  fairstream score --config config.yaml --input people.csv
  fairstream score --config config.yaml --from people.unlabelled --to people.decisions`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			purpose := config.Streaming
			if file.Model != "" {
				purpose = config.Learning
			}
			configured := flags.Given() || flags.Assigned()
			if configured {
				if file.Config, err = flags.Load(cmd, nil, purpose); err != nil {
					return err
				}
			}
			if err := scoring.CheckShare(explore); err != nil {
				return err
			}
			file.Explore, topics.Explore = explore, explore
			if topics.From != "" || topics.To != "" {
				if topics.Config = file.Config; !configured {
					return errors.New("--from and --to need --config")
				}
				if err := topics.Check(); err != nil {
					return err
				}
				return command.InWork(topics.Run(cmd.Context()))
			}
			if from == "" {
				return errors.New("--input is missing: name a file of records, or --from and --to for topics")
			}
			if file.Model == "" && !configured {
				return errors.New("--model is missing: name the file that replay --save wrote, or give --config for the newest weights on the model topic")
			}
			if file.Source, err = input.NewSource(from, format, s.In); err != nil {
				return err
			}
			file.Alias = topics.Alias
			return command.InWork(file.Run(cmd.Context()))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	inputFlags(cmd, &from, &format, "`FILE` of records, - or adult")
	f.StringVar(&file.Model, "model", "", "weight document in a `FILE` (default the newest on the model topic)")
	f.StringSliceVar(&file.Keep, "keep", nil, "with --input, repeat these `FIELDS` of the input in each line: a,b or all")
	f.BoolVar(&file.JSON, "json", false, "print JSON lines instead of CSV")
	f.StringVar(&topics.From, "from", "", "`TOPIC` of records to decide")
	f.StringVar(&topics.To, "to", "", "`TOPIC` of decisions")
	f.StringVar(&topics.Alias, "alias", "", "decide by this alias (default with --input: latest; with --from: stable, or latest until a version is stable)")
	f.StringVar(&topics.Shadow, "shadow", "", "with --from, also score by this alias, without effect on decisions")
	f.Float64Var(&topics.Split, "split", 0, "with --shadow, the share of the records that the shadow alias decides, chosen by a hash of their keys")
	f.Float64Var(&explore, "explore", 0, "turn this `SHARE` of the negative decisions to positive, chosen by a hash of the identifier")
	f.BoolVar(&topics.Attributes, "attributes", false, "with --from, put the fields that the constraints name into each decision, for fairstream monitor")
	f.BoolVar(&topics.UntilEnd, "until-end", false, "with --from, decide what the topic holds now, and exit")
	cmd.MarkFlagsMutuallyExclusive("input", "from")
	cmd.MarkFlagsMutuallyExclusive("keep", "from")
	cmd.MarkFlagsMutuallyExclusive("model", "from")
	cmd.MarkFlagsMutuallyExclusive("model", "alias")
	command.MustComplete(cmd.MarkFlagFilename("model", "json"))
	return cmd
}
