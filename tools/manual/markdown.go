package manual

import (
	"fmt"
	"strings"
)

// Markdown is the reference of all commands.
func Markdown(commands []Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nThis page is what `--help` prints, for every command.\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n", c.Name(), c.Long)
		for _, s := range c.Sections {
			fmt.Fprintf(&b, "\n%s:\n%s", s.Title, s.Text)
		}
		b.WriteString("```\n")
	}
	return b.String()
}
