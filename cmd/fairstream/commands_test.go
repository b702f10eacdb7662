package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestCommands: each command with how many arguments it takes and with its flags: kind, default, whether it is required, which files it completes, and
// which flags it excludes.
func TestCommands(t *testing.T) {
	var text strings.Builder
	var write func(cmd *cobra.Command)
	write = func(cmd *cobra.Command) {
		takes := 0
		for cmd.Args != nil && takes < 9 && cmd.Args(cmd, slices.Repeat([]string{"x"}, takes+1)) == nil {
			takes++
		}
		fmt.Fprintf(&text, "%s\n", cmd.CommandPath())
		if takes > 0 {
			fmt.Fprintf(&text, "  arguments: %d at most\n", takes)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			fmt.Fprintf(&text, "  --%s", f.Name)
			if f.Shorthand != "" {
				fmt.Fprintf(&text, " -%s", f.Shorthand)
			}
			fmt.Fprintf(&text, " %s", f.Value.Type())
			if f.DefValue != "" {
				fmt.Fprintf(&text, " = %s", f.DefValue)
			}
			for _, name := range slices.Sorted(maps.Keys(f.Annotations)) {
				fmt.Fprintf(&text, "; %s %q", strings.TrimPrefix(strings.TrimPrefix(name, "cobra_annotation_"), "bash_completion_"), f.Annotations[name])
			}
			if f.Hidden {
				text.WriteString("; hidden")
			}
			text.WriteString("\n")
		})
		for _, of := range cmd.Commands() {
			write(of)
		}
	}
	write(newRoot(&program.Streams{}))
	goldentest.Compare(t, "commands.txt", text.String())
}
