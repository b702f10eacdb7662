package architecture

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// longest is the most lines a Go file may have: a file is one idea.
const longest = 500

func TestFilesAreShort(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." && path != "../..":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		seen++
		if lines := bytes.Count(text, []byte("\n")); lines > longest {
			t.Errorf("%s has %d lines: split it", path, lines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d Go files seen", seen)
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	command := exec.Command("go", append([]string{"list", "-e", "-f", "{{.ImportPath}}\t{{.Doc}}"}, modules...)...)
	command.Dir = "../.."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(output)) {
		if name, doc, _ := strings.Cut(strings.TrimSpace(line), "\t"); doc == "" {
			t.Errorf("%s has no package comment", name)
		}
	}
}
