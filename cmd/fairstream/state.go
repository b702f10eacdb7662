package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

func newState(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "state",
		Short: "Show, check, prune or reset the state of a job",
		Long: `Show or reset the state of a job on its state topic: the snapshot of the learner together with the next
offset of every partition, and the process that owns the job.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStateShow(s), newStateVerify(s), newStatePrune(s), newStateReset(s))
	return cmd
}

func newStateShow(s *program.Streams) *cobra.Command {
	var flags configFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show --config FILE",
		Short:   "Show who owns the job, and its last snapshot; the owner is not disturbed",
		Example: `  fairstream state show --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				state, err := cluster.ReadState(ctx, client, loaded)
				if err != nil {
					return err
				}
				if asJSON {
					return json.NewEncoder(s.Out).Encode(struct {
						Holder   stream.Claim         `json:"holder"`
						Snapshot *stream.SnapshotInfo `json:"snapshot"`
					}{state.Holder, state.Snapshot})
				}
				return writeState(s, state, loaded)
			}))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func writeState(s *program.Streams, state *stream.State, c *config.Loaded) error {
	var text strings.Builder
	holder, snapshot := state.Holder, state.Snapshot
	switch {
	case holder.Term == 0:
		fmt.Fprintf(&text, "Nobody ever claimed job %s on topic %s.\n", c.Job, c.Topics.State)
	case state.Left:
		fmt.Fprintf(&text, "Nobody owns job %s: its process on %s, claimed %s, term %d, has ended.\n", c.Job, holder.Host, holder.At.Format(time.DateTime+" UTC"), holder.Term)
	default:
		fmt.Fprintf(&text, "Job %s is owned by %s, claimed %s, term %d.\n", c.Job, holder.Host, holder.At.Format(time.DateTime+" UTC"), holder.Term)
	}
	if snapshot == nil {
		fmt.Fprintln(&text, "There is no snapshot: the next start learns from scratch.")
		_, err := s.Out.Write([]byte(text.String()))
		return err
	}
	english.Fprintf(&text, "The last snapshot is of %s, %d bytes, sequence %d of term %d:\n", snapshot.Taken.Format(time.DateTime+" UTC"),
		snapshot.Bytes, snapshot.Sequence, snapshot.Term)
	english.Fprintf(&text, "  %s learnt.\n", english.Counted(snapshot.Version, "record"))
	for _, reason := range slices.Sorted(maps.Keys(snapshot.Rejected)) {
		english.Fprintf(&text, "  %d rejected: %s.\n", snapshot.Rejected[reason], reason)
	}
	t := english.NewTable()
	t.AppendHeader(table.Row{"partition", "next offset", "learnt", "rejected", "kept", "lost"})
	for _, p := range snapshot.Partitions {
		t.AppendRow(table.Row{fmt.Sprintf("%s/%d", snapshot.Topic, p.Partition), p.Next, p.Learnt.Count, p.Rejected.Count, p.Kept.Count, p.Lost})
	}
	fmt.Fprintf(&text, "\n%s\n", english.Render(t))
	_, err := s.Out.Write([]byte(text.String()))
	return err
}

func newStateReset(s *program.Streams) *cobra.Command {
	var flags configFlags
	var yes bool
	var why said
	cmd := &cobra.Command{
		Use:   "reset --config FILE --yes",
		Short: "Forget what a job has learnt, so that its next start learns from scratch",
		Long: `Forget what a job has learnt: its snapshot is deleted, and its next start begins where stream.start
says. It is needed after a change of the configuration that a restart refuses. A process that learns
for the job is superseded, and stops. The weights on the model topic stay.

The history tells of the reset. If the job signs its history, the private key must be configured here too: audit
refuses an unsigned entry, and the next owner disowns it.`,
		Example: `  fairstream state reset --config config.yaml --yes`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			if !yes {
				return fmt.Errorf("state reset forgets all that job %s has learnt (topic %s): add --yes if that is meant", loaded.Job, loaded.Topics.State)
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return resetState(ctx, s, client, loaded, why)
			}))
		},
	}
	flags.register(cmd)
	why.register(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func resetState(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, why said) error {
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
	options := stream.Options{Job: c.Job, Topics: cluster.TopicsOf(c), Program: program.Version(), Service: "fairstream state reset", Actor: why.actor, Reason: why.reason}
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
