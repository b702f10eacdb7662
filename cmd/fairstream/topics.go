package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/topics"
	"github.com/fairstream/fairstream/internal/config"
)

func newTopics(s *program.Streams) *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "topics",
		Short: "Create or verify the topics of a configuration, and print the rights on them",
		Long: `Create or verify the topics of a configuration: input, model, state, dead letters, history and,
if topics.events is set, events. Model and state are compacted topics; a topic that exists with settings
that would lose data is an error.`,
	}, newTopicsCreate(s), newTopicsVerify(s), newTopicsACLs(s))
}

func newTopicsCreate(s *program.Streams) *cobra.Command {
	var flags command.Config
	t := topics.Topics{Streams: s, Create: true}
	cmd := &cobra.Command{
		Use:   "create --config FILE",
		Short: "Create the topics that are missing, and verify the others",
		Example: `  fairstream topics create --config config.yaml
  fairstream topics create --config config.yaml --partitions 4`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if t.Partitions < 1 {
				return fmt.Errorf("--partitions %d: a topic has at least 1", t.Partitions)
			}
			t.Wanted = cmd.Flags().Changed("partitions")
			return runTopics(cmd, &t, &flags)
		},
	}
	flags.Register(cmd)
	cmd.Flags().IntVar(&t.Partitions, "partitions", 1, "partitions of the input topic, if it is made")
	return cmd
}

func newTopicsVerify(s *program.Streams) *cobra.Command {
	var flags command.Config
	t := topics.Topics{Streams: s}
	cmd := &cobra.Command{
		Use:     "verify --config FILE",
		Short:   "Verify that every topic exists with the right settings, and change nothing",
		Example: `  fairstream topics verify --config config.yaml`,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTopics(cmd, &t, &flags) },
	}
	flags.Register(cmd)
	return cmd
}

func newTopicsACLs(s *program.Streams) *cobra.Command {
	var flags command.Config
	var principal, forCommand, input, output string
	cmd := &cobra.Command{
		Use:   "acls --config FILE --principal PRINCIPAL",
		Short: "Print the commands that grant a user the rights of a job",
		Long: `Print a line for each resource: a call of kafka-acls.sh, which an administrator runs with
--bootstrap-server and --command-config. Nothing is asked of Kafka, and nothing is changed. The right to
describe a topic comes with the right to read or to write it.

--for names the command whose rights are meant: run (also for monitor), create (topics create), replay
(deadletters replay), score (with --from and --to), serve or read, for services that follow the model topic and for models list. Rights of several
commands add up. Create is only needed where topics are not made beforehand; with topics.management: verify, run never asks for it.`,
		Example: `  fairstream topics acls --config config.yaml --principal User:fairstream
  fairstream topics acls --config config.yaml --principal User:decider --for score --from people.unlabelled --to decisions`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind, name, _ := strings.Cut(principal, ":"); kind == "" || name == "" {
				return fmt.Errorf("--principal %q: a principal is TYPE:NAME, such as User:fairstream or User:CN=fairstream", principal)
			}
			loaded, err := flags.Load(cmd, nil, config.Streaming)
			if err != nil {
				return err
			}
			rights, err := topics.RightsFor(loaded, forCommand, input, output)
			if err != nil {
				return err
			}
			for _, r := range rights {
				if _, err := fmt.Fprintln(s.Out, r.Command(principal)); err != nil {
					return command.InWork(err)
				}
			}
			return nil
		},
	}
	flags.Register(cmd)
	cmd.Flags().StringVar(&principal, "principal", "", "`PRINCIPAL` who gets the rights, as Kafka names it")
	cmd.Flags().StringVar(&forCommand, "for", "run", "`COMMAND` that needs the rights: run, create, replay, score, serve or read")
	cmd.Flags().StringVar(&input, "from", "", "`TOPIC` that score reads")
	cmd.Flags().StringVar(&output, "to", "", "`TOPIC` that score writes to")
	return cmd
}

func runTopics(cmd *cobra.Command, t *topics.Topics, flags *command.Config) (err error) {
	if t.Config, err = flags.Load(cmd, nil, config.Streaming); err != nil {
		return err
	}
	return command.InWork(cluster.With(cmd.Context(), t.Config.Kafka, t.Err, t.Run))
}
