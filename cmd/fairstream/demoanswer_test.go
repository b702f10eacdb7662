package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
)

// answer is what others rely on in the JSON of replay and demo.
type answer struct {
	Records  int64 `json:"records"`
	Rejected int64 `json:"rejected"`
	Holdout  struct {
		Records     int64   `json:"records"`
		Accuracy    float64 `json:"accuracy"`
		Constraints []struct {
			Tau   float64 `json:"tau"`
			Value float64 `json:"value"`
		} `json:"constraints"`
	} `json:"holdout"`
	Model struct {
		Version int64  `json:"version"`
		SHA256  string `json:"weights_sha256"`
	} `json:"model"`
}

// lastAnswer parses the last line.
func lastAnswer(t *testing.T, stdout string) (a answer) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &a); err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	return a
}

// The weights that come back from the model topic are those that replay finds in the same records.
func TestDemoAnswersAsReplayDoes(t *testing.T) {
	learnsAll(t)
	left := inTemporary(t)
	code, stdout, stderr := fairstream(t, "demo", "--json", "--lasts", "500ms")
	if code != done {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	got := lastAnswer(t, stdout)
	want := lastAnswer(t, succeed(t, "replay", "--input", "adult", "--json"))
	if got.Model != want.Model || got.Records != want.Records || got.Rejected != 0 || got.Holdout.Records != adult.HeldOut {
		t.Errorf("demo %+v\nreplay %+v", got, want)
	}
	if got.Holdout.Accuracy <= .85 || len(got.Holdout.Constraints) != 1 || math.Abs(got.Holdout.Constraints[0].Value) > .06 {
		t.Errorf("on the records held out: %+v", got.Holdout)
	}
	if files := left(); len(files) > 0 {
		t.Errorf("the demo leaves %v", files)
	}
}
