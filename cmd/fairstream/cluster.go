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

// clusterWork is done on a cluster for a configuration, in one of two ways.
type clusterWork func(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, option bool) error

// onCluster completes a command that takes a configuration and a switch: it does its work with a client of the cluster.
func onCluster(s *program.Streams, work clusterWork, option, usage string, cmd *cobra.Command) *cobra.Command {
	var flags command.Config
	flags.Register(cmd)
	given := cmd.Flags().Bool(option, false, usage)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		loaded, err := flags.Load(cmd, nil, config.Streaming)
		if err != nil {
			return err
		}
		return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
			return work(ctx, s, client, loaded, *given)
		}))
	}
	return cmd
}
