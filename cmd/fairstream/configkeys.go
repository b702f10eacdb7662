package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

func newConfigKeys(s *program.Streams) *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "keys [PREFIX]",
		Short: "List every key with its variable, default and meaning",
		Long:  `List every key with its variable, default and meaning, or only the keys of a section or whose name begins with PREFIX.`,
		Example: `  fairstream config keys
  fairstream config keys learner.vocabulary`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			keys, err := keysOf(args)
			if err != nil {
				return err
			}
			write := writeKeys
			if markdown {
				write = writeKeysAsMarkdown
			}
			return inWork(write(s.Out, keys))
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "as a table in Markdown")
	return cmd
}

// keysOf returns the keys that begin with a prefix, if there is one.
func keysOf(prefixes []string) (keys []config.Key, err error) {
	var names []string
	for _, key := range config.Keys() {
		if len(prefixes) == 0 || strings.HasPrefix(key.Path, prefixes[0]) {
			keys = append(keys, key)
		}
		names = append(names, key.Path)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("no key begins with %q%s", prefixes[0], english.DidYouMean(prefixes[0], names))
	}
	return keys, nil
}

// writeKeys gives each key some lines of at most 80 characters.
func writeKeys(w io.Writer, keys []config.Key) error {
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
	return nil
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
