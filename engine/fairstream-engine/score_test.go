package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/score"
)

// learnt is the weight document of a backfill.
func learnt(t *testing.T, configured, pattern string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "weights.json")
	said, code := fairstreamEngine(t, "backfill", "-c", configured, "-i", pattern, "-o", filepath.Join(t.TempDir(), "x.state"), "--sample", "2000", "--save", name)
	if code != done {
		t.Fatal(said)
	}
	return name
}

// scoredHere is what fairstream score writes and says.
func scoredHere(t *testing.T, name, model string, asJSON bool, keep []string) (lines []byte, said string) {
	t.Helper()
	source, err := input.NewSource(name, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var out, warned bytes.Buffer
	file := score.File{Streams: &program.Streams{Out: &out, Err: &warned}, Source: source, Model: model, JSON: asJSON, Keep: keep}
	if err := file.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), warned.String()
}

// TestScoresAreThoseOfFairstream: the files of blocks, one after the other, are what fairstream score writes, byte for byte, and what is said of
// the records is the same, among them rejected ones with their lines.
func TestScoresAreThoseOfFairstream(t *testing.T) {
	folder, configured := records(t, 3, 1000)
	pattern := filepath.Join(folder, "part-*")
	model := learnt(t, configured, pattern)
	text, err := os.ReadFile(filepath.Join(folder, "part-0.csv"))
	if err != nil {
		t.Fatal(err)
	}
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	large := slices.Concat(header, []byte("\n"), bytes.Repeat(append(bytes.Clone(rest), "too,few\n"...), 30)) // three megabytes
	write(t, filepath.Join(folder, "part-1.csv"), string(large))
	write(t, filepath.Join(folder, "part-2.csv"), "")
	write(t, filepath.Join(folder, "part-2.csv"), string(header)+"\n")
	for _, asJSON := range []bool{false, true} {
		output := filepath.Join(t.TempDir(), "decisions")
		args := []string{"score", "--model", model, "--input", pattern, "--output", output, "--block", "1", "--shards", "5", "--keep", "sex,age"}
		if asJSON {
			args = append(args, "--json")
		}
		said, code := fairstreamEngine(t, args...)
		if code != done {
			t.Fatal(said)
		}
		for _, name := range []string{"part-0.csv", "part-1.csv", "part-2.csv"} {
			want, warned := scoredHere(t, filepath.Join(folder, name), model, asJSON, []string{"sex", "age"})
			parts, err := filepath.Glob(filepath.Join(output, name+".*"))
			if err != nil {
				t.Fatal(err)
			}
			if name == "part-1.csv" && len(parts) < 3 {
				t.Errorf("%s has %d blocks", name, len(parts))
			}
			var got []byte
			for _, part := range parts {
				lines, err := os.ReadFile(part)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, lines...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of decisions are not the %d of fairstream score", name, len(got), len(want))
			}
			if !strings.Contains(said, warned) {
				t.Errorf("%s: %q is not in\n%s", name, warned, said)
			}
		}
		if !strings.Contains(said, "Rejected 30 of 30,030 records") || !strings.Contains(said, "31,030 records of 3 files") {
			t.Errorf("said: %s", said)
		}
	}
}

// TestScoreRefuses: what is wrong is named, and old decisions are not mixed with new ones.
func TestScoreRefuses(t *testing.T) {
	folder, configured := records(t, 2, 1800)
	pattern := filepath.Join(folder, "part-*")
	model := learnt(t, configured, pattern)
	full, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(full, "part-0.csv.00000.csv"), "old")
	write(t, filepath.Join(other, "part-0.csv"), "a,b\n1,2\n")
	write(t, filepath.Join(other, "bad.csv.gz"), "\x1f\x8b\x08\x00")
	for name, test := range map[string]struct {
		args  []string
		words string
		code  int
	}{
		"no file":   {[]string{"-m", model}, "unknown", misuse},
		"none":      {[]string{"--model", model, "-i", folder + "/x*"}, "no file has such a name", misuse},
		"no model":  {[]string{"--model", folder + "/none", "-i", pattern}, "no such file", misuse},
		"no weight": {[]string{"--model", configured, "-i", pattern}, "config.yaml", failed},
		"full":      {[]string{"--model", model, "-i", pattern, "-o", full}, "is not empty", misuse},
		"twice":     {[]string{"--model", model, "-i", pattern, "-i", other + "/part-*"}, "the same name", misuse},
		"truncated": {[]string{"--model", model, "-i", other + "/bad*"}, "bad.csv.gz", failed},
	} {
		args := append([]string{"score", "--output", filepath.Join(t.TempDir(), "decisions")}, test.args...)
		if name == "full" {
			args = append([]string{"score"}, test.args...)
		}
		if said, code := fairstreamEngine(t, args...); code != test.code || !strings.Contains(said, test.words) {
			t.Errorf("%s: exit code %d, and not %d with %q:\n%s", name, code, test.code, test.words, said)
		}
	}
}
