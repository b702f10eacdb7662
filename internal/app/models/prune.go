package models

import (
	"context"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Prune deletes what cannot be read of a job on its model topic, and lists the keys; with dry it lists them only.
func Prune(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
	if err := cluster.Exist(ctx, client, c.Topics.Model); err != nil {
		return err
	}
	keys, err := stream.PruneModels(ctx, stream.Kafka(client), c.Topics.Model, c.Job, dry)
	if err != nil {
		return err
	}
	return cluster.Pruned(s, dry, "key", c.Topics.Model, keys)
}
