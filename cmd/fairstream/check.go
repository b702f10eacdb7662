package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/check"
	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newCheck(s *program.Streams) *cobra.Command {
	var flags command.Config
	var inputs []string
	var format string
	c := check.Records{Streams: s}
	cmd := &cobra.Command{
		Use:   "check --config FILE [--input FILE]",
		Short: "Look at the records before learning: a dry run that writes nothing",
		Long: `Hold the records of a file, or the newest records of the input topic, against a configuration: how many
have which label and belong to which group, what each field is, what is odd, and which tau is within
reach of so many records. Nothing is learnt and nothing is written.

The exit code is 1 if run would learn nothing useful: the label has one value only, or no constraint
can be measured. Of a configuration for monitor, it is 1 if the decisions of the section monitor are absent or
all alike.`,
		Example: `  fairstream check --config config.yaml --input sample.jsonl
  fairstream check --config config.yaml`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			purpose := config.Streaming
			if len(inputs) > 0 {
				purpose = config.Learning
			}
			loaded, badConfig := flags.Load(cmd, nil, purpose)
			var from input.Source
			var badInput error
			if len(inputs) > 0 {
				from, badInput = input.NewSources(inputs, func(string) string { return format }, s.In)
			}
			if err := errors.Join(badInput, badConfig); err != nil {
				return err
			}
			c.Config, c.Monitor, c.Settings = loaded.Model(), loaded.Monitor, command.Settings(loaded.Config)
			if labels := loaded.Stream.Labels; labels.Holds() {
				c.Age = labels.Age
			}
			if len(inputs) > 0 {
				return command.InWork(c.OfFile(cmd.Context(), from))
			}
			c.Topic, c.Registry = loaded.Topics.Input, loaded.Registry
			return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, c.OfTopic))
		},
	}
	flags.Register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&inputs, "input", "i", nil, "`FILE` of records, - or adult; several are read in this order (default the topic topics.input)")
	f.StringVar(&format, "format", "", input.FormatUsage)
	completeInput(cmd)
	return cmd
}
