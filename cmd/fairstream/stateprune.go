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

func newStatePrune(s *program.Streams) *cobra.Command {
	var flags configFlags
	var dry bool
	cmd := &cobra.Command{
		Use:   "prune --config FILE",
		Short: "Delete damaged and foreign records of the state topic",
		Long: `Delete what this program cannot read of the job on its state topic: damaged and forged records, keys of an
unknown kind, and records of another format version. run passes over most of them and names their
offsets. Look at them with --dry-run first: a newer program may need records of a newer version.`,
		Example: `  fairstream state prune --config config.yaml --dry-run
  fairstream state prune --config config.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return pruneState(ctx, s, client, loaded, dry)
			}))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "list the records, and delete nothing")
	return cmd
}

func pruneState(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
	if err := cluster.Exist(ctx, client, c.Topics.State); err != nil {
		return err
	}
	all, err := stream.PruneState(ctx, stream.Kafka(client), c.Topics.State, c.Job, dry)
	if err != nil {
		return err
	}
	verb := "Deleted"
	if dry {
		verb = "Would delete"
	}
	var text strings.Builder
	english.Fprintf(&text, "%s %s on topic %s.\n", verb, english.Counted(int64(len(all)), "record"), c.Topics.State)
	for _, g := range all {
		english.Fprintf(&text, "  offset %d, key %q: %s\n", g.Offset, g.Key, g.Reason)
	}
	_, err = fmt.Fprint(s.Out, text.String())
	return err
}
