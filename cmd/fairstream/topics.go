package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

func newTopics(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "Create or verify the topics of a configuration",
		Long: `Create or verify the topics of a configuration: input, model, state, dead letters, history and,
if topics.events is set, events. Model and state are compacted topics; a topic that exists with settings
that would lose data is an error.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTopicsCreate(s), newTopicsVerify(s))
	return cmd
}

func newTopicsCreate(s *program.Streams) *cobra.Command {
	var flags configFlags
	t := topics{Streams: s, create: true}
	cmd := &cobra.Command{
		Use:   "create --config FILE",
		Short: "Create the topics that are missing, and verify the others",
		Example: `  fairstream topics create --config config.yaml
  fairstream topics create --config config.yaml --partitions 4`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if t.partitions < 1 {
				return fmt.Errorf("--partitions %d: a topic has at least 1", t.partitions)
			}
			t.wanted = cmd.Flags().Changed("partitions")
			return t.run(cmd, &flags)
		},
	}
	flags.register(cmd)
	cmd.Flags().IntVar(&t.partitions, "partitions", 1, "partitions of the input topic, if it is made")
	return cmd
}

func newTopicsVerify(s *program.Streams) *cobra.Command {
	var flags configFlags
	t := topics{Streams: s}
	cmd := &cobra.Command{
		Use:     "verify --config FILE",
		Short:   "Verify that every topic exists with the right settings, and change nothing",
		Example: `  fairstream topics verify --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return t.run(cmd, &flags) },
	}
	flags.register(cmd)
	return cmd
}

// topics is one run of the commands.
type topics struct {
	*program.Streams
	create     bool
	partitions int
	wanted     bool // partitions were asked for
}

func (t *topics) run(cmd *cobra.Command, flags *configFlags) error {
	loaded, err := flags.load(cmd, nil, config.Streaming)
	if err != nil {
		return err
	}
	return inWork(cluster.With(cmd.Context(), loaded.Kafka, t.Err, func(ctx context.Context, client *kafka.Client) error {
		specs := topicSpecs(loaded, t.partitions)
		manage := client.VerifyTopics
		if t.create {
			manage = client.CreateTopics
		}
		results, err := manage(ctx, specs...)
		if ctx.Err() != nil {
			return err // what topics there are is not known
		}
		if writeErr := t.write(specs, results); err == nil {
			err = writeErr
		}
		return err
	}))
}

// topicSpecs are all topics of a job, the input too.
func topicSpecs(c *config.Loaded, partitions int) []kafka.TopicSpec {
	input := kafka.TopicSpec{Name: c.Topics.Input, Kind: kafka.InputTopic, Partitions: partitions, ReplicationFactor: c.Topics.Replication}
	return append([]kafka.TopicSpec{input}, (&streaming{config: c}).options(nil).TopicSpecs(c.Topics.Replication)...)
}

// write tells what became of each topic; those that are wrong are in the error.
func (t *topics) write(specs []kafka.TopicSpec, results []kafka.TopicResult) error {
	w := english.NewTable()
	w.AppendHeader(table.Row{"topic", "for", "partitions", ""})
	for i, result := range results {
		became := "exists"
		switch {
		case result.Partitions == 0:
			became = "missing"
		case result.Created:
			became = "created"
		case t.wanted && specs[i].Kind == kafka.InputTopic && result.Partitions != t.partitions:
			became = fmt.Sprintf("exists with %d: --partitions %d is for a new topic", result.Partitions, t.partitions)
		}
		w.AppendRow(table.Row{specs[i].Name, strings.ReplaceAll(string(specs[i].Kind), "-", " "), result.Partitions, became})
	}
	_, err := fmt.Fprintln(t.Out, english.Render(w))
	return err
}
