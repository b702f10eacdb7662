package state

import (
	"context"
	"fmt"
	"strings"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Prune deletes what cannot be read of a job on its state topic, and lists the records; with dry it lists them only.
func Prune(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
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
