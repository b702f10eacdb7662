package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/deadletters"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

func newDeadLetters(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deadletters",
		Short: "Feed rejected records again",
		Long: `Feed the records of the dead-letter topic again, once the cause of their rejection is gone: after a field
was listed under record.renamed, for example.`,
		Args: command.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDeadLettersReplay(s))
	return cmd
}

func newDeadLettersReplay(s *program.Streams) *cobra.Command {
	var flags command.Config
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
			return onCluster(cmd, s, &flags, func(ctx context.Context, client *kafka.Client, c *config.Loaded) error {
				return deadletters.Replay(ctx, s, client, c, dry)
			})
		},
	}
	flags.Register(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "count, and write nothing")
	return cmd
}
