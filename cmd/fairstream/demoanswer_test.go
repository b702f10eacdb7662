package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

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
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
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
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the demo leaves %v, %v", left, err)
	}
}

func TestDemoInterrupted(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, test := range []struct {
		args  string
		after time.Duration
		code  int
		says  string // on either stream
	}{
		{"demo --lasts 1h", 500 * time.Millisecond, failed, "the demo was interrupted"},
		// Long enough that there are weights to read back on a slow machine too.
		{"demo --lasts 400ms --keep-running --json", 5 * time.Second, done, `"holdout":`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), test.after)
		var out, err bytes.Buffer
		code := run(ctx, strings.Fields(test.args), strings.NewReader(""), &out, &err)
		cancel()
		if code != test.code || !strings.Contains(out.String()+err.String(), test.says) {
			t.Errorf("%s: exit code %d\n%s\n%s", test.args, code, out.String(), err.String())
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", test.args, left, err)
		}
	}
}
