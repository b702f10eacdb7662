package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples runs every folder of examples as its README says.
func TestExamples(t *testing.T) {
	learnsAll(t)
	t.Parallel()
	bin := programOnPath(t)
	scripts, err := filepath.Glob(filepath.Join(repository, "examples", "*", "run.sh"))
	if err != nil || len(scripts) < 3 {
		t.Fatalf("%d examples: %v", len(scripts), err)
	}
	ends := map[string]string{ // what the end of the output says
		"loans":        "learnt 3,000 records",
		"intersection": "black-women, demographic-parity:",
		"regression":   "root mean squared",
		"groups":       "same-occupation, demographic-parity:",
	}
	for _, script := range scripts {
		name := filepath.Base(filepath.Dir(script))
		t.Run(name, func(t *testing.T) {
			readme, err := os.ReadFile(filepath.Join(filepath.Dir(script), "README.md"))
			if command := "sh examples/" + name + "/run.sh"; err != nil || !strings.Contains(string(readme), command) {
				t.Errorf("README.md does not say %s (%v)", command, err)
			}
			command := exec.Command("sh", "examples/"+name+"/run.sh")
			command.Dir = repository
			command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "PORT="+freePort(t))
			output, err := command.CombinedOutput()
			if err != nil || !strings.Contains(strings.ToLower(string(output)), strings.ToLower(ends[name])) || ends[name] == "" {
				t.Errorf("%v, not %q:\n%s", err, ends[name], output)
			}
		})
	}
}

// TestExampleRecords: the generator of the loans writes the files that are there.
func TestExampleRecords(t *testing.T) {
	directory := t.TempDir()
	command := exec.Command("go", "run", "examples/loans/generate.go", directory)
	command.Dir = repository
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, name := range []string{"sample.jsonl", "applications.jsonl", "outcomes.jsonl"} {
		want, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(repository, "examples", "loans", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("examples/loans/%s is not what generate.go writes (%v)", name, err)
		}
	}
}

// programOnPath makes a directory with a program fairstream, which is the test binary.
func programOnPath(t *testing.T) (bin string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin = t.TempDir()
	script := "#!/bin/sh\n" + asCommand + "=1 exec '" + self + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "fairstream"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}
