package quality

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fairstream/fairstream/bench/python"
)

//studies:reads run.sh study tests columns requirements.txt datasets.txt ../../go.mod ../../cmd ../../internal ../../pkg

const root = "../.."

// TestQuickStudy runs bench/quality/run.sh --quick, whose own tests come first. It needs Python 3.11 or later and, the
// first time, PyPI; without Python it skips, except where CI=true: there that is a failure.
func TestQuickStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute of one core")
	}
	interpreter := python.Interpreter(t)
	dependOn(t, "go.mod", "bench/quality", "cmd", "internal", "pkg")
	results := filepath.Join(root, ".cache/quality/quick")
	if err := os.RemoveAll(results); err != nil {
		t.Fatal(err)
	}
	// A registry that does not answer must not take the time of all other tests.
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "bench/quality/run.sh", "--quick")
	command.Dir = root
	command.Env = append(os.Environ(), "PYTHON="+interpreter)
	command.WaitDelay = time.Minute
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	text, err := os.ReadFile(filepath.Join(results, "RESULTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| adult | 0.05 |", "| compas | 0.05 |", "| fairstream, approximation 1 |", "| fairstream, sigmoid |",
		"| ExponentiatedGradient, LR, fairstream's columns |", "| ThresholdOptimizer, gradient boosting * |",
		"| River logistic regression, no constraint |", "### Equal opportunity", "### Equalized odds",
		"## How often τ is kept", "| compas | 0.05 | approximation 3 |",
	} {
		if !bytes.Contains(text, []byte("\n"+line)) {
			t.Errorf("RESULTS.md has no line that begins %q", line)
		}
	}
	for _, figure := range []string{"quality-adult", "quality-frontier", "quality-relaxations", "quality-tau"} {
		for _, format := range []string{".png", ".svg"} {
			if info, err := os.Stat(filepath.Join(results, figure+format)); err != nil || info.Size() < 1000 {
				t.Errorf("%s%s: %v, or it is empty", figure, format, err)
			}
		}
	}
}

// dependOn looks at every file below the paths, so that go test runs the study again when one has changed.
func dependOn(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		err := filepath.WalkDir(filepath.Join(root, path), func(at string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			_, err = os.Stat(at)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
