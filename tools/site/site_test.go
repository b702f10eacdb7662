package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRelink(t *testing.T) {
	repository := t.TempDir()
	if err := os.WriteFile(filepath.Join(repository, "Makefile"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	is := func(page string) bool { return page == "docs/b.md" }
	got, err := relink(repository, "docs/a.md", []byte("[b](b.md#x) [m](../Makefile) [w](https://example.com/y) [here](#z)"), is)
	if want := "[b](b.md#x) [m](" + source + "Makefile) [w](https://example.com/y) [here](#z)"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := relink(repository, "docs/a.md", []byte("[x](gone.md)"), is); err == nil || !strings.Contains(err.Error(), "docs/a.md: ](gone.md) leads to nothing") {
		t.Errorf("%v", err)
	}
}

// TestLinks: every link of the documents leads to a file of the repository.
func TestLinks(t *testing.T) {
	seen := 0
	for _, pattern := range pages {
		names, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			page, err := filepath.Rel("../..", name)
			if err != nil {
				t.Fatal(err)
			}
			generated := func(target string) bool { return target == "docs/commands.md" || target == "docs/keys.md" }
			if _, err := relink("../..", filepath.ToSlash(page), text, generated); err != nil {
				t.Error(err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d pages", seen)
	}
}
