package manual

import (
	"fmt"
	"strings"
	"time"
)

// Pages are the man pages of the commands by file name, such as fairstream-models-show.1.
func Pages(commands []Command, version string, date time.Time) map[string]string {
	pages := map[string]string{}
	for _, c := range commands {
		pages[strings.Join(c.Path, "-")+".1"] = page(c, version, date)
	}
	return pages
}

func page(c Command, version string, date time.Time) string {
	var b strings.Builder
	name := strings.Join(c.Path, "-")
	short, _, _ := strings.Cut(strings.ReplaceAll(c.Long, "\n", " "), ". ")
	fmt.Fprintf(&b, ".TH %q 1 %q %q %q\n", strings.ToUpper(name), date.UTC().Format("2006-01-02"), "fairstream "+version, "fairstream")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.TrimSuffix(short, ".")))
	for _, s := range c.Sections {
		if s.Title == "Usage" {
			fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s.fi\n", roff(undent(s.Text)))
		}
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(roff(c.Long), "\n\n", "\n.PP\n"))
	for _, s := range c.Sections {
		if s.Title != "Usage" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s.fi\n", strings.ToUpper(strings.TrimPrefix(s.Title, "Available ")), roff(undent(s.Text)))
		}
	}
	if len(c.Path) > 1 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s(1)\n", roff(strings.Join(c.Path[:len(c.Path)-1], "-")))
	}
	return b.String()
}

// undent takes the two spaces away by which cobra indents.
func undent(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n  ", "\n"), "  ")
}

// roff guards what troff would take for its own: backslashes, hyphens that are typed, and a dot or an apostrophe that begins a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
