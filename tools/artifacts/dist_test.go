package artifacts

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
)

// dist is the directory of the release.
func dist(t *testing.T) string {
	t.Helper()
	directory := os.Getenv("FAIRSTREAM_DIST")
	if directory == "" {
		t.Skip("skipped: FAIRSTREAM_DIST names no release; make artifacts makes one")
	}
	return directory
}

// the file of a release whose name ends with something.
func the(t *testing.T, end string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dist(t), "*"+end))
	if err != nil || len(names) != 1 {
		t.Fatalf("*%s: %v, %v", end, names, err)
	}
	return names[0]
}

// succeed runs a command and returns what it printed.
func succeed(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, output)
	}
	return string(output)
}

// need skips a test where a program is not installed, and says what is left out.
func need(t *testing.T, program, left string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("skipped: %s is not installed: %s", program, left)
	}
}

func TestChecksums(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(dist(t), "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		content, err := os.ReadFile(filepath.Join(dist(t), name))
		if got := fmt.Sprintf("%x", sha256.Sum256(content)); err != nil || got != sum {
			t.Errorf("%s: %v, %s", name, err, got)
		}
	}
	if len(lines) < 21 { // five archives and bills, six wheels, two .deb, two .rpm, an image
		t.Errorf("only %d files", len(lines))
	}
}

// TestPrograms: each archive has the program for its platform, static, with version and revision.
func TestPrograms(t *testing.T) {
	for _, p := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"} {
		root := t.TempDir()
		program := "fairstream"
		if strings.HasPrefix(p, "windows") {
			program += ".exe"
			need(t, "python3", "the ZIP was not opened")
			succeed(t, "python3", "-m", "zipfile", "-e", the(t, p+".zip"), root)
		} else {
			succeed(t, "tar", "-xzf", the(t, p+".tar.gz"), "-C", root)
		}
		directories, err := filepath.Glob(filepath.Join(root, "fairstream_v*_"+p))
		if err != nil || len(directories) != 1 {
			t.Fatalf("%s: %v, %v", p, directories, err)
		}
		info, err := buildinfo.ReadFile(filepath.Join(directories[0], program))
		if err != nil {
			t.Fatal(err)
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		version := strings.Split(filepath.Base(directories[0]), "_")[1]
		if info.Main.Version != version || len(settings["vcs.revision"]) != 40 || settings["vcs.modified"] != "false" || settings["CGO_ENABLED"] != "0" ||
			settings["GOOS"]+"_"+settings["GOARCH"] != p {
			t.Errorf("%s: %s, %v", p, info.Main.Version, settings)
		}
		for _, name := range []string{"LICENSE", "NOTICE", "THIRD-PARTY.txt", "man/fairstream-run.1", "completions/bash/fairstream"} {
			if _, err := os.Stat(filepath.Join(directories[0], name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestBills: each SPDX document is valid, and names Kafka's client with its licence.
func TestBills(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(dist(t), "*.spdx.json"))
	if err != nil || len(names) != 5 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := json.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := spdxlib.ValidateDocument(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		found := false
		for _, p := range document.Packages {
			found = found || p.PackageName == "github.com/segmentio/kafka-go" && p.PackageLicenseConcluded == "MIT"
		}
		if !found || len(document.Packages) < 30 {
			t.Errorf("%s: %d packages", name, len(document.Packages))
		}
	}
}
