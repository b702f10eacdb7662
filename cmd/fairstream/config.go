package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newConfig(s *program.Streams) *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "config",
		Short: "Show, check and explain configurations",
		Long: `A configuration comes from YAML files, then FAIRSTREAM_* variables, then flags; the later wins.
fairstream config keys explains the keys that matter first; --all lists every key with its variable.`,
	}, newConfigPrint(s), newConfigCheck(s), newConfigSchema(s), newConfigKeys(s))
}

func newConfigPrint(s *program.Streams) *cobra.Command {
	var flags command.Config
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Print the configuration that a command would use, and where each value comes from",
		Example: `  fairstream config print --config config.yaml
  FAIRSTREAM_LEARNER_MODE=paper fairstream config print -c config.yaml --set topics.input=people`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.Learning)
			if err != nil {
				return err
			}
			text, err := loaded.YAML()
			if err != nil {
				return command.InWork(err)
			}
			_, err = s.Out.Write(text)
			return command.InWork(err)
		},
	}
	flags.Register(cmd)
	return cmd
}

func newConfigCheck(s *program.Streams) *cobra.Command {
	var flags command.Config
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check a configuration and list every problem",
		Long: `Check a configuration and list every problem. The exit code is 2 if there is one. The sections
kafka and topics are checked if any of their keys is set; replay and score do without them.`,
		Example: `  fairstream config check --config config.yaml`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loaded, err := flags.Load(cmd, nil, config.AsWritten)
			if err != nil {
				return err
			}
			good := "replay and score on files; run needs kafka.brokers and topics.input too"
			if loaded.IsSet("kafka") || loaded.IsSet("topics") {
				good = "every command"
			}
			_, err = fmt.Fprintf(s.Out, "No problem found. The configuration is complete for %s.\n", good)
			return command.InWork(err)
		},
	}
	flags.Register(cmd)
	return cmd
}

func newConfigSchema(s *program.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of the configuration, for editors",
		Example: `  fairstream config schema > fairstream.schema.json
  # then, in the first line of config.yaml:
  # yaml-language-server: $schema=fairstream.schema.json`,
		RunE: func(*cobra.Command, []string) error {
			_, err := s.Out.Write(config.Schema())
			return command.InWork(err)
		},
	}
}

func newConfigKeys(s *program.Streams) *cobra.Command {
	var markdown, all bool
	cmd := &cobra.Command{
		Use:   "keys [PREFIX]",
		Short: "Explain the keys of the configuration",
		Long: `Explain the keys of the configuration: environment variable, kind of value, default and meaning.

Without PREFIX the list has the keys that matter first, and --all lists every key. With PREFIX it has every key
that begins so, such as those of a section.`,
		Example: `  fairstream config keys
  fairstream config keys learner.vocabulary
  fairstream config keys --all`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			keys, left, err := keysOf(args, all || markdown)
			if err != nil {
				return err
			}
			if markdown {
				return command.InWork(writeKeysAsMarkdown(s.Out, keys))
			}
			return command.InWork(writeKeys(s.Out, keys, left))
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every key")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "every key, as a table in Markdown")
	return cmd
}

// keysOf returns the keys that begin with a prefix, if there is one, or else those that matter first or all, and how many are left out.
func keysOf(prefixes []string, all bool) (keys []config.Key, left int, err error) {
	var names []string
	for _, key := range config.Keys() {
		names = append(names, key.Path)
		switch {
		case len(prefixes) > 0 && !strings.HasPrefix(key.Path, prefixes[0]):
		case len(prefixes) == 0 && !all && !slices.Contains(config.Essential, key.Path):
			left++
		default:
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, 0, fmt.Errorf("no key begins with %q%s", prefixes[0], english.DidYouMean(prefixes[0], names))
	}
	return keys, left, nil
}

// writeKeys gives each key some lines of at most 80 characters.
func writeKeys(w io.Writer, keys []config.Key, left int) error {
	for _, key := range keys {
		about := key.Holds
		if key.Default != "" {
			about += "; default " + key.Default
		}
		indent := func(words string) string {
			return "    " + strings.ReplaceAll(text.WrapSoft(words, 74), "\n", "\n    ")
		}
		if _, err := fmt.Fprintf(w, "%s\n    %s\n%s\n%s\n\n", key.Path, key.Variable, english.TrimLines(indent(about)), english.TrimLines(indent(key.Help))); err != nil {
			return err
		}
	}
	if left == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "%d other keys have defaults that suit most jobs. To see them:\n  fairstream config keys --all\n  fairstream config keys SECTION\n", left)
	return err
}

func writeKeysAsMarkdown(w io.Writer, keys []config.Key) error {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"key", "variable", "value", "default", "meaning"})
	for _, key := range keys {
		t.AppendRow(table.Row{key.Path, key.Variable, key.Holds, key.Default, key.Help})
	}
	_, err := fmt.Fprintln(w, t.RenderMarkdown())
	return err
}
