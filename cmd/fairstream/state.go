package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/state"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

func newState(s *program.Streams) *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "state",
		Short: "Show, check, prune or reset the state of a job",
		Long: `Show or reset the state of a job on its state topic: the snapshot of the learner together with the next
offset of every partition, and the process that owns the job.`,
	}, newStateShow(s), newStateVerify(s), newStatePrune(s), newStateReset(s))
}

func newStateShow(s *program.Streams) *cobra.Command {
	return onCluster(s, state.Show, "json", "print one JSON object", &cobra.Command{
		Use:     "show --config FILE",
		Short:   "Show who owns the job, and its last snapshot; the owner is not disturbed",
		Example: `  fairstream state show --config config.yaml`,
	})
}

func newStateReset(s *program.Streams) *cobra.Command {
	var flags command.Config
	var yes bool
	var why command.Said
	cmd := &cobra.Command{
		Use:   "reset --config FILE --yes",
		Short: "Forget what a job has learnt, so that its next start learns from scratch",
		Long: `Forget what a job has learnt: its snapshot is deleted, and its next start begins where stream.start
says. It is needed after a change of the configuration that a restart refuses. A process that learns
for the job is superseded, and stops. The weights stay on the model topic.

The history tells of the reset. If the job signs its history, the private key must be configured here too, or the
reset is refused.`,
		Example: `  fairstream state reset --config config.yaml --yes`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			if !yes {
				return fmt.Errorf("state reset forgets all that job %s has learnt (topic %s): add --yes if that is meant", loaded.Job, loaded.Topics.State)
			}
			return command.InWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, func(ctx context.Context, client *kafka.Client) error {
				return state.Reset(ctx, s, client, loaded, why)
			}))
		},
	}
	flags.Register(cmd)
	why.Register(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}

func newStatePrune(s *program.Streams) *cobra.Command {
	return onCluster(s, state.Prune, "dry-run", "list the records, and delete nothing", &cobra.Command{
		Use:   "prune --config FILE",
		Short: "Delete damaged and foreign records of the state topic",
		Long: `Delete what this program cannot read of the job on its state topic: damaged and forged records, keys of an
unknown kind, and records of another format version. run passes over most of them and names their
offsets. Look at them with --dry-run first: a newer program may need records of a newer version.`,
		Example: `  fairstream state prune --config config.yaml --dry-run
  fairstream state prune --config config.yaml`,
	})
}

func newStateVerify(s *program.Streams) *cobra.Command {
	return onCluster(s, state.Verify, "json", "print one JSON object", &cobra.Command{
		Use:   "verify --config FILE",
		Short: "Replay the claims and snapshots of a job, and say whether they fit together",
		Long: `Replay the claims and snapshots of a job from its state topic, and compare them with its weights on the
model topic: checksums, rising terms, versions that never fall, the account of each partition, whether the
last snapshot can be restored, and whether each document has its snapshot. With signing.public_keys, the
signatures of documents and aliases are checked too. Nothing is written, and the owner is not disturbed. The exit code is 1 if anything is broken.

The history is not looked at: the command audit checks it.`,
		Example: `  fairstream state verify --config config.yaml`,
	})
}
