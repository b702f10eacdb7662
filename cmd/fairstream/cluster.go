package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

// onCluster reads the configuration, and gives work a client of its cluster.
func onCluster(cmd *cobra.Command, s *program.Streams, flags *command.Config, work func(context.Context, *kafka.Client, *config.Loaded) error) error {
	loaded, err := flags.Load(cmd, nil, config.Streaming)
	if err != nil {
		return err
	}
	return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
		return work(ctx, client, loaded)
	}))
}
