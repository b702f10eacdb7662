package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/topics"
	"github.com/fairstream/fairstream/internal/config"
)

func newTopics(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "Create or verify the topics of a configuration",
		Long: `Create or verify the topics of a configuration: input, model, state, dead letters, history and,
if topics.events is set, events. Model and state are compacted topics; a topic that exists with settings
that would lose data is an error.`,
		Args: command.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTopicsCreate(s), newTopicsVerify(s))
	return cmd
}

func newTopicsCreate(s *program.Streams) *cobra.Command {
	var flags command.Config
	t := topics.Topics{Streams: s, Create: true}
	cmd := &cobra.Command{
		Use:   "create --config FILE",
		Short: "Create the topics that are missing, and verify the others",
		Example: `  fairstream topics create --config config.yaml
  fairstream topics create --config config.yaml --partitions 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if t.Partitions < 1 {
				return fmt.Errorf("--partitions %d: a topic has at least 1", t.Partitions)
			}
			t.Wanted = cmd.Flags().Changed("partitions")
			return runTopics(cmd, &t, &flags)
		},
	}
	flags.Register(cmd)
	cmd.Flags().IntVar(&t.Partitions, "partitions", 1, "partitions of the input topic, if it is made")
	return cmd
}

func newTopicsVerify(s *program.Streams) *cobra.Command {
	var flags command.Config
	t := topics.Topics{Streams: s}
	cmd := &cobra.Command{
		Use:     "verify --config FILE",
		Short:   "Verify that every topic exists with the right settings, and change nothing",
		Example: `  fairstream topics verify --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTopics(cmd, &t, &flags) },
	}
	flags.Register(cmd)
	return cmd
}

func runTopics(cmd *cobra.Command, t *topics.Topics, flags *command.Config) (err error) {
	if t.Config, err = flags.Load(cmd, nil, config.Streaming); err != nil {
		return err
	}
	return command.InWork(cluster.With(cmd.Context(), t.Config.Kafka, t.Err, t.Run))
}
