package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func testWheels(t *testing.T) *wheelPackage {
	t.Helper()
	c := &checkout{directory: "../..", version: "v0.2.0-rc.3", date: day}
	w, err := wheelsOf(c, []file{{"LICENSE", 0o644, []byte("l")}, {"README.md", 0o644, []byte("r")}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A wheel is the same in each run, and has the program, to be executed, and the licence; the pure one has no program.
func TestWheels(t *testing.T) {
	w := testWheels(t)
	first, err := w.carrying(platform{"linux", "amd64"}, []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := testWheels(t).carrying(platform{"linux", "amd64"}, []byte("program"))
	if err != nil || !bytes.Equal(first.content, second.content) {
		t.Errorf("two runs differ: %v", err)
	}
	if want := "fairstream-0.2.0rc3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl"; first.path != want {
		t.Errorf("%s, want %s", first.path, want)
	}
	archive, err := zip.NewReader(bytes.NewReader(first.content), int64(len(first.content)))
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]string{}
	for _, f := range archive.File {
		modes[f.Name] = f.Mode().String()
	}
	for name, mode := range map[string]string{"fairstream-0.2.0rc3.data/scripts/fairstream": "-rwxr-xr-x", "fairstream-0.2.0rc3.dist-info/licenses/LICENSE": "-rw-r--r--",
		"fairstream/__init__.py": "-rw-r--r--", "fairstream/sklearn/__init__.py": "-rw-r--r--", "fairstream/py.typed": "-rw-r--r--"} {
		if modes[name] != mode {
			t.Errorf("%s: %q, want %q", name, modes[name], mode)
		}
	}
	pure, err := w.pure()
	if err != nil || pure.path != "fairstream-0.2.0rc3-py3-none-any.whl" || bytes.Contains(pure.content, []byte(".data/scripts")) {
		t.Errorf("%s, %v", pure.path, err)
	}
	for _, p := range platforms() {
		if _, err := w.carrying(p, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestPythonVersions(t *testing.T) {
	for version, want := range map[string]string{"v0.1.0": "0.1.0", "v1.2.3-rc.1": "1.2.3rc1", "v1.0.0-beta2": "1.0.0b2", "v0.0.1-test-ci": "0.0.1.dev0+test.ci"} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// pip takes the metadata as it takes what hatchling makes of the same pyproject.toml.
func TestMetadata(t *testing.T) {
	text := string(testWheels(t).metadata)
	for _, want := range []string{"Version: 0.2.0rc3\n", "Requires-Python: >=3.10\n", "Requires-Dist: numpy", "Provides-Extra: sklearn\n",
		"; extra == \"sklearn\"\n", "License-Expression: Apache-2.0\n", "License-File: LICENSE\n", "Classifier: Typing :: Typed\n", "\n\n# fairstream"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// pip installs the pure wheel, and finds the files that RECORD lists.
func TestPipReadsAWheel(t *testing.T) {
	if exec.Command("python3", "-m", "pip", "--version").Run() != nil {
		t.Skip("skipped: pip is not installed, so the wheel was made and not installed")
	}
	wheel, err := testWheels(t).pure()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, wheel.path)
	if err := os.WriteFile(path, wheel.content, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--ignore-requires-python", "--target", filepath.Join(folder, "to"), path)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	version, err := os.ReadFile(filepath.Join(folder, "to", "fairstream", "_version.py"))
	if err != nil || string(version) != "__version__ = \"0.2.0rc3\"\n" {
		t.Errorf("%s, %v", version, err)
	}
}
