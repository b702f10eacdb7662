package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newDeadLetters(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deadletters",
		Short: "Feed rejected records again",
		Long: `Feed the records of the dead-letter topic again, once the cause of their rejection is gone: after a field
was listed under record.renamed, for example.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDeadLettersReplay(s))
	return cmd
}

func newDeadLettersReplay(s *program.Streams) *cobra.Command {
	var flags configFlags
	var dry bool
	cmd := &cobra.Command{
		Use:   "replay --config FILE",
		Short: "Write the job's dead letters to its input topic again, each once",
		Long: `Write the job's dead letters to its input topic again, where run learns them as new records. Each
record, known by topic ID, partition and offset, comes back once, however often the
command is called and however it ends: the state topic keeps the account. Letters that the configuration
still rejects are left out, and counted by reason. At most 10,000 letters are held in memory.

The records come back to the partitions from which they came, with their key, value and headers, and the
header fairstream.replay. Other readers of the input topic see them too. They are written in transactions:
a second replay of the job ends the first, and readers of committed records see each letter once.`,
		Example: `  fairstream deadletters replay --config config.yaml --dry-run
  fairstream deadletters replay --config config.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return replayLetters(ctx, s, client, loaded, dry)
			}))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "count, and write nothing")
	return cmd
}

func replayLetters(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
	topics := cluster.TopicsOf(c)
	if err := cluster.Exist(ctx, client, topics.Input, topics.State, topics.DeadLetter); err != nil {
		return err
	}
	replayed, err := stream.ReplayDeadLetters(ctx, stream.Kafka(client), c.Model(), topics, c.Job, dry)
	var text strings.Builder
	verb := "Wrote"
	if dry {
		verb = "Would write"
	}
	english.Fprintf(&text, "%s %s to topic %s; earlier calls wrote %d.\n", verb, english.Counted(replayed.Written, "dead letter"), topics.Input, replayed.Before)
	for _, reason := range slices.Sorted(maps.Keys(replayed.Unreadable)) {
		english.Fprintf(&text, "  %d are left: %s under this configuration too.\n", replayed.Unreadable[reason], reason)
	}
	if err != nil {
		return fmt.Errorf("%w\n%sThe next call goes on", err, text.String())
	}
	_, err = s.Out.Write([]byte(text.String()))
	return err
}
