package architecture

import (
	"os"
	"strings"
	"testing"
)

// TestNothingIsSaidTwice: a promise and an entry of the changelog stand once. A merge of two branches may repeat them.
func TestNothingIsSaidTwice(t *testing.T) {
	for path, begins := range map[string]string{"../../docs/promises.md": "| ", "../../CHANGELOG.md": "- "} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, entry := range entries(string(text), begins) {
			if said, _, _ := strings.Cut(entry, " | "); seen[said] {
				t.Errorf("%s says twice: %s", path, said)
			} else {
				seen[said] = true
			}
		}
	}
	if got := entries("- a\n  b\n\n- c\n", "- "); len(got) != 2 || got[0] != "a b" {
		t.Errorf("entries %q", got)
	}
}

// entries are the rows of tables or items of lists: lines that begin so, each with the indented lines behind it. A table repeats its header.
func entries(text, begins string) (all []string) {
	for line := range strings.Lines(text) {
		rest, isNew := strings.CutPrefix(strings.TrimRight(line, "\n"), begins)
		switch {
		case isNew && !strings.HasPrefix(rest, "promise |"):
			all = append(all, rest)
		case strings.HasPrefix(line, "  ") && len(all) > 0:
			all[len(all)-1] += " " + strings.TrimSpace(rest)
		}
	}
	return all
}
