package state

import (
	"context"

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
	var lines []string
	for _, g := range all {
		lines = append(lines, english.Sprintf("offset %d, key %q: %s", g.Offset, g.Key, g.Reason))
	}
	return cluster.Pruned(s, dry, "record", c.Topics.State, lines)
}
