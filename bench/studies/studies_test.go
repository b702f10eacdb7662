package main

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/fairstream/fairstream/bench/sources"
)

// TestPassedIsReadAsWritten, and a line that is not one is an error.
func TestPassedIsReadAsWritten(t *testing.T) {
	all := map[string]passed{"b": {"12ab", "2026-11-22", 7}, "a": {"34", "2026-11-21", 0}}
	text := format(all)
	if text != "a 34 2026-11-21 0\nb 12ab 2026-11-22 7\n" {
		t.Errorf("written as %q", text)
	}
	if read, err := parse(text); err != nil || !maps.Equal(read, all) {
		t.Errorf("read as %v, %v", read, err)
	}
	if _, err := parse("a 34\n"); err == nil {
		t.Error("half a line is accepted")
	}
}

// TestASumIsOfAllThatATestIsBuiltFrom changes, one at a time, files that a study's tests depend on, and one that they do not.
func TestASumIsOfAllThatATestIsBuiltFrom(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	of := []string{"go.sum", "bench/go.sum", "bench/s/s.go", "bench/s/s_test.go", "bench/s/x_test.go", "bench/s/testdata/deep/a.csv", "pkg/a/a.go", "pkg/a/page.html", "pkg/t/t.go"}
	for _, name := range append(of, "pkg/other/o.go") {
		write(name, "one")
	}
	write("bench/s/x_test.go", directive+"../../docs/*.md ../../script\n")
	of = append(of, "docs/a.md", "script/deep/run.sh")
	write("docs/a.md", "one")
	write("script/deep/run.sh", "one")
	const study = sources.Module + "/bench/s"
	packages := map[string]sources.Package{
		study:                              {Dir: filepath.Join(root, "bench/s"), GoFiles: []string{"s.go"}, TestGoFiles: []string{"s_test.go"}, XTestGoFiles: []string{"x_test.go"}, Deps: []string{sources.Module + "/pkg/a"}},
		study + ".test":                    {Dir: filepath.Join(root, "bench/s"), GoFiles: []string{filepath.Join(root, "generated.go")}, Deps: []string{sources.Module + "/pkg/t"}},
		sources.Module + "/pkg/a":          {Dir: filepath.Join(root, "pkg/a"), GoFiles: []string{"a.go"}, EmbedFiles: []string{"page.html"}},
		sources.Module + "/pkg/t":          {Dir: filepath.Join(root, "pkg/t"), GoFiles: []string{"t.go"}},
		sources.Module + "/pkg/other":      {Dir: filepath.Join(root, "pkg/other"), GoFiles: []string{"o.go"}},
		sources.Module + "/bench/untested": {Dir: root},
		study + "_test [of another]":       {ForTest: study, XTestGoFiles: []string{"x_test.go"}},
		"example.com/not/of/this/one":      {Dir: root},
	}
	if names := studies(packages, sources.Module+"/bench/"); len(names) != 1 || names[0] != study {
		t.Fatalf("studies are %v", names)
	}
	sum := func() string {
		t.Helper()
		s, err := sumOf(root, packages, study)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	last := sum()
	for _, name := range of {
		if name == "bench/s/x_test.go" {
			write(name, "// changed\n"+directive+"../../docs/*.md ../../script\n")
		} else {
			write(name, "two")
		}
		if now := sum(); now == last {
			t.Errorf("%s is not in the sum", name)
		} else {
			last = now
		}
	}
	write("pkg/other/o.go", "two")
	if sum() != last {
		t.Error("a package that the study does not use is in the sum")
	}
}
