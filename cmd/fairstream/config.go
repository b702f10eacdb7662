package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newConfig(s *program.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check and explain configurations",
		Long: `A configuration comes from YAML files, then FAIRSTREAM_* variables, then flags; the later wins.
fairstream config keys explains the keys that matter first; --all lists every key with its variable.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigPrint(s), newConfigCheck(s), newConfigSchema(s), newConfigKeys(s))
	return cmd
}

func newConfigPrint(s *program.Streams) *cobra.Command {
	var flags configFlags
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Print the configuration that a command would use, and where each value comes from",
		Example: `  fairstream config print --config config.yaml
  FAIRSTREAM_LEARNER_MODE=paper fairstream config print -c config.yaml --set topics.input=people`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.Learning)
			if err != nil {
				return err
			}
			text, err := loaded.YAML()
			if err != nil {
				return inWork(err)
			}
			_, err = s.Out.Write(text)
			return inWork(err)
		},
	}
	flags.register(cmd)
	return cmd
}

func newConfigCheck(s *program.Streams) *cobra.Command {
	var flags configFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check a configuration and list every problem",
		Long: `Check a configuration and list every problem. The exit code is 2 if there is one. The sections
kafka and topics are checked if any of their keys is set; replay and score do without them.`,
		Example: `  fairstream config check --config config.yaml`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.load(cmd, nil, config.AsWritten)
			if err != nil {
				return err
			}
			good := "replay and score on files; run needs kafka.brokers and topics.input too"
			if loaded.IsSet("kafka") || loaded.IsSet("topics") {
				good = "every command"
			}
			_, err = fmt.Fprintf(s.Out, "No problem found. The configuration is complete for %s.\n", good)
			return inWork(err)
		},
	}
	flags.register(cmd)
	return cmd
}

func newConfigSchema(s *program.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of the configuration, for editors",
		Example: `  fairstream config schema > fairstream.schema.json
  # then, in the first line of config.yaml:
  # yaml-language-server: $schema=fairstream.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.Out.Write(config.Schema())
			return inWork(err)
		},
	}
}
