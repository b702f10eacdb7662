package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program is a script that prints help as cobra lays it out.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fairstream")
	script := `#!/bin/sh
case "$*" in
--help) printf 'Learns. It is fair.\n\nUsage:\n  fairstream [command]\n\nAvailable Commands:\n  completion  Generate\n  help        Help\n  run         Learn\n\nFlags:\n  -h, --help   help\n\nUse "fairstream [command] --help" for more.\n' ;;
'run --help') printf 'Learn a\\b\n.dot\n\nMore.\n\nUsage:\n  fairstream run\n\nFlags:\n      --x-y   do\n' ;;
*) echo "what is $*?" >&2; exit 2 ;;
esac
`
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommands(t *testing.T) {
	commands, err := Commands(program(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(commands) != 2 || commands[0].Name() != "fairstream" || commands[1].Name() != "fairstream run" {
		t.Fatalf("%+v", commands)
	}
	pages := Pages(commands, "v1.2.3", time.Unix(0, 0))
	for name, want := range map[string]string{
		"fairstream.1":     ".TH \"FAIRSTREAM\" 1 \"1970-01-01\" \"fairstream v1.2.3\" \"fairstream\"\n.SH NAME\nfairstream \\- Learns\n.SH SYNOPSIS\n.nf\nfairstream [command]\n.fi\n",
		"fairstream-run.1": ".SH DESCRIPTION\nLearn a\\eb\n\\&.dot\n.PP\nMore.\n.SH FLAGS\n.nf\n    \\-\\-x\\-y   do\n.fi\n.SH SEE ALSO\nfairstream(1)\n",
	} {
		if !strings.Contains(pages[name], want) {
			t.Errorf("%s: %q has no %q", name, pages[name], want)
		}
	}
	if text := Markdown(commands); !strings.Contains(text, "\n## fairstream run\n\n```text\nLearn a\\b\n.dot\n") || strings.Contains(text, "Use \"") {
		t.Errorf("%q", text)
	}
	if _, err := below(program(t), []string{"fairstream", "walk"}); err == nil || !strings.Contains(err.Error(), "what is walk --help?") {
		t.Errorf("%v", err)
	}
}
