package state

import (
	"context"
	"fmt"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Reset forgets what a job has learnt.
func Reset(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, why command.Said) error {
	if err := cluster.Exist(ctx, client, c.Topics.State); err != nil {
		return err
	}
	forgotten := "all that it had learnt" // a state that this program cannot read can be reset too
	if state, err := stream.ReadState(ctx, stream.Kafka(client), c.Topics.State, c.Job); err == nil {
		forgotten = "nothing, for there was no snapshot"
		if state.Snapshot != nil {
			forgotten = english.Counted(state.Snapshot.Version, "learnt record")
		}
	}
	options := stream.Options{Job: c.Job, Topics: cluster.TopicsOf(c), Program: program.Version(), Service: "fairstream state reset", Actor: why.Actor, Reason: why.Reason}
	var err error
	if options.Signer, options.Verifier, err = cluster.Signing(c); err != nil {
		return err
	}
	if err := stream.ResetState(ctx, stream.Kafka(client), options); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "Job %s has forgotten %s. Its next start begins at stream.start, %s.\n", c.Job, forgotten, c.Stream.Start)
	return err
}
