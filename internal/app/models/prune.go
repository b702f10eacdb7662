package models

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

// Prune deletes what cannot be read of a job on its model topic, and lists the keys; with dry it lists them only.
func Prune(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, dry bool) error {
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
