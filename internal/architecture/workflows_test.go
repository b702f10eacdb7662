package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWorkflowsCallTheMakefile: the workflows do what anybody can do with make, by targets that there are.
func TestWorkflowsCallTheMakefile(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(names) < 3 {
		t.Fatalf("%v, %v", names, err)
	}
	calls := regexp.MustCompile(`(?m)\bmake ([a-z-]+)|^ {10}- ([a-z-]+)(?: VERSION=.*)?$`)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := calls.FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 {
			t.Errorf("%s calls no target", name)
		}
		for _, call := range found {
			if target := call[1] + call[2]; !strings.Contains(string(makefile), "\n.PHONY: "+target+"\n") {
				t.Errorf("%s: the Makefile has no target %s", name, target)
			}
		}
		for line := range strings.Lines(string(text)) {
			if _, action, found := strings.Cut(line, "uses: "); found && !regexp.MustCompile(`@v\d+\.\d+\.\d+$`).MatchString(strings.TrimSpace(action)) {
				t.Errorf("%s: %s is not pinned to a version", name, strings.TrimSpace(action))
			}
		}
	}
}
