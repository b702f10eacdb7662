package main

import (
	"context"
	"encoding/json"
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

func newStateVerify(s *program.Streams) *cobra.Command {
	var flags configFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify --config FILE",
		Short: "Replay the claims and snapshots of a job, and say whether they fit together",
		Long: `Replay the claims and snapshots of a job from its state topic, and compare them with its weights on the
model topic: checksums, rising terms, versions that never fall, the account of each partition, whether the
last snapshot can be restored, and whether each document has its snapshot. With signing.public_keys, the
signatures of documents and aliases are checked too. Nothing is written, and the owner is not disturbed. The exit code is 1 if anything is broken.

The history is not looked at: the command audit checks it.`,
		Example: `  fairstream state verify --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return verifyState(ctx, s, client, loaded, asJSON)
			}))
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func verifyState(ctx context.Context, s *program.Streams, client *kafka.Client, c *config.Loaded, asJSON bool) error {
	topics := cluster.TopicsOf(c)
	if err := cluster.Exist(ctx, client, topics.State, topics.Model); err != nil {
		return err
	}
	verifier, err := c.Signing.Verifier()
	if err != nil {
		return err
	}
	v, err := stream.VerifyState(ctx, stream.Kafka(client), stream.Options{Job: c.Job, Model: c.Model(), Monitoring: c.Monitor, Release: c.Release, Topics: topics, Verifier: verifier})
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(s.Out).Encode(v)
	} else {
		err = writeVerification(s, v, c)
	}
	if err == nil && len(v.Problems) > 0 {
		err = fmt.Errorf("the state of job %s has %s", c.Job, english.Counted(len(v.Problems), "problem"))
	}
	return err
}

func writeVerification(s *program.Streams, v *stream.Verification, c *config.Loaded) error {
	var text strings.Builder
	english.Fprintf(&text, "Topic %s holds %s of job %s:\n", c.Topics.State, english.Counted(v.Records, "record"), c.Job)
	english.Fprintf(&text, "  %s in force, the last of term %d; %d came second.\n", english.Counted(v.Claims, "claim"), v.Holder.Term, v.LostClaims)
	english.Fprintf(&text, "  %s that count; %d came too late, %d are incomplete.\n", english.Counted(v.Snapshots, "snapshot"), v.Late, v.Incomplete)
	if v.Snapshot != nil {
		english.Fprintf(&text, "  The last holds version %d.\n", v.Snapshot.Version)
	}
	if model := cluster.TopicsOf(c).Model; model != "" {
		english.Fprintf(&text, "Topic %s holds %s.\n", model, english.Counted(v.Documents, "document"))
		if v.Signed != nil {
			english.Fprintf(&text, "  %d documents and aliases are signed by a key of signing.public_keys.\n", *v.Signed)
		} else {
			fmt.Fprintln(&text, "  No signature was checked: signing.public_keys is not set.")
		}
	}
	for _, problem := range v.Problems {
		fmt.Fprintf(&text, "Problem: %s.\n", problem)
	}
	if len(v.Problems) == 0 {
		fmt.Fprintln(&text, "Everything fits together.")
	}
	if c.Topics.History != "" {
		fmt.Fprintln(&text, english.Prose(fmt.Sprintf("The history on topic %s was not looked at: `fairstream audit` checks it.", c.Topics.History)))
	}
	_, err := s.Out.Write([]byte(text.String()))
	return err
}
