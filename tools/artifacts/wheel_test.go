package artifacts

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWheel: in an empty environment, the wheel of this platform brings the command, and the first lines of docs/python.md run.
func TestWheel(t *testing.T) {
	wheel := the(t, "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl")
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	if exec.Command(python, "-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))").Run() != nil {
		t.Skip("skipped: there is no Python 3.11 or newer: the wheel was not installed")
	}
	// The program takes variables with its prefix for keys: this one is put back at the end.
	t.Setenv("FAIRSTREAM_DIST", os.Getenv("FAIRSTREAM_DIST"))
	if err := os.Unsetenv("FAIRSTREAM_DIST"); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	environment := filepath.Join(folder, "venv")
	succeed(t, python, "-m", "venv", environment)
	bin := filepath.Join(environment, "bin")
	pip := func(arguments ...string) {
		t.Helper()
		succeed(t, filepath.Join(bin, "pip"), append([]string{"install", "--quiet", "--disable-pip-version-check"}, arguments...)...)
	}
	pip("-c", "../../clients/python/requirements.txt", "numpy")
	pip("--no-index", wheel)
	if said := succeed(t, filepath.Join(bin, "fairstream"), "version"); !strings.Contains(said, "fairstream") {
		t.Errorf("fairstream version: %s", said)
	}
	weights := filepath.Join(folder, "weights.json")
	succeed(t, filepath.Join(bin, "fairstream"), "replay", "--input", "adult", "--save", weights)
	decided := succeed(t, filepath.Join(bin, "python"), "-c",
		"import sys, fairstream; print(fairstream.Scorer.load(sys.argv[1]).decide({'age': 52, 'education': 'Doctorate', 'hours_per_week': 50}))", weights)
	if strings.TrimSpace(decided) == "" {
		t.Error("the scorer decided nothing")
	}
	pip("-c", "../../clients/python/requirements.txt", "scikit-learn", "pandas")
	text, err := os.ReadFile("../../docs/python.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "## Estimators\n\n```python\n")
	script, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatal("docs/python.md has no example of estimators")
	}
	adultInto(t, filepath.Join(folder, "adult.csv"))
	command := exec.Command(filepath.Join(bin, "python"), "-W", "ignore", "-c", script+"\nprint(fair.document_['constraints'][0]['name'])")
	command.Dir = folder
	if said, err := command.CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != "sex" {
		t.Errorf("%v\n%s", err, said)
	}
}

// adultInto writes the bundled records to a file.
func adultInto(t *testing.T, path string) {
	t.Helper()
	packed, err := os.Open("../../internal/adult/adult.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
