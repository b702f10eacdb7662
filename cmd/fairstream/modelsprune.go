package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newModelsPrune(s *program.Streams) *cobra.Command {
	var flags configFlags
	var dry bool
	cmd := &cobra.Command{
		Use:   "prune --config FILE",
		Short: "Delete documents of an older format, and damaged keys",
		Long: `Delete what this program cannot read of the job on its model topic: documents of an older format, and
damaged keys and aliases. Nothing else is deleted. run then publishes the weights again.`,
		Example: `  fairstream models prune --config config.yaml --dry-run
  fairstream models prune --config config.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return pruneModels(ctx, s, client, loaded, dry)
			}))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "list the keys, and delete nothing")
	return cmd
}

func pruneModels(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
	if err := cluster.Exist(ctx, client, c.Topics.Model); err != nil {
		return err
	}
	keys, err := stream.PruneModels(ctx, stream.Kafka(client), c.Topics.Model, c.Job, dry)
	if err != nil {
		return err
	}
	verb := "Deleted"
	if dry {
		verb = "Would delete"
	}
	var text strings.Builder
	english.Fprintf(&text, "%s %s on topic %s.\n", verb, english.Counted(int64(len(keys)), "key"), c.Topics.Model)
	for _, key := range keys {
		fmt.Fprintf(&text, "  %s\n", key)
	}
	_, err = s.Out.Write([]byte(text.String()))
	return err
}
