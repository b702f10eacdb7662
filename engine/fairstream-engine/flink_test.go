package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFlink: on a session cluster of Flink, the state of a backfill is that of fairstream, bit for bit, and the decisions are, byte for byte. Workers are
// in this process. The tau is so large that the rounds are few: a job takes the cluster half a minute, most of it to stage Beam's jars.
func TestFlink(t *testing.T) {
	endpoint := os.Getenv("FAIRSTREAM_TEST_FLINK")
	if endpoint == "" {
		t.Skip("make flink starts a cluster, and sets FAIRSTREAM_TEST_FLINK")
	}
	folder, configured := records(t, 3, 1500)
	write(t, configured, strings.Replace(configuration, "tau: 0.05", "tau: 0.5", 1))
	pattern := filepath.Join(folder, "part-*")
	want := here(t, configured, pattern)
	output, model := filepath.Join(t.TempDir(), "there.state"), filepath.Join(t.TempDir(), "weights.json")
	said, code := fairstreamEngine(t, "backfill", "-c", configured, "-i", pattern, "-o", output, "--save", model, "--sample", "4000", "--shards", "4", // the sample of here
		"--runner", "flink", "--endpoint", endpoint, "--parallelism", "2")
	if t.Log(said); code != done {
		t.Fatalf("exit code %d", code)
	}
	if got := stateOf(t, output); !bytes.Equal(got.Learner, want.Learner) {
		t.Error("Flink leaves another state")
	}
	decisions := filepath.Join(t.TempDir(), "decisions")
	if said, code := fairstreamEngine(t, "score", "--model", model, "-i", pattern, "-o", decisions, "--runner", "flink", "--endpoint", endpoint); code != done {
		t.Fatal(said)
	}
	for _, name := range []string{"part-0.csv", "part-1.csv", "part-2.csv"} {
		lines, _ := scoredHere(t, filepath.Join(folder, name), model, false, nil)
		if got, err := os.ReadFile(filepath.Join(decisions, name+".00000.csv")); err != nil || !bytes.Equal(got, lines) {
			t.Errorf("%s: other decisions, %v", name, err)
		}
	}
}
