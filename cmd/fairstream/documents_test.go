package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/test/broker"
)

// repository is the root of the module.
const repository = "../.."

var update = flag.Bool("update", false, "rewrite the output that the documents show")

// documents are the files whose blocks are executed.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{filepath.Join(repository, "README.md")}, files...)
}

// TestDocuments runs the commands that the documents show, as a reader would type them, and compares what
// they print. In a block that begins with ```console, lines that begin with $ are commands and the
// others their output; times may differ, and a line of … stands for any lines. Commands of make are
// not run (this is one), but have to exist. A broker is there for commands that need Kafka. A command that ends in & runs until the end of its
// block, and then has to end well after SIGTERM.
func TestDocuments(t *testing.T) {
	learnsAll(t)
	t.Parallel()
	directory := buildForReaders(t)
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	commands, address := 0, broker.FreeAddress(t)
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		var environment []string
		if base := filepath.Base(document); base == "tutorial.md" || base == "serving.md" {
			environment = []string{"FAIRSTREAM_KAFKA_BROKERS=" + b.Addresses()[0], "FAIRSTREAM_SERVER_ADDRESS=", "FAIRSTREAM_SERVE_ADDRESS=" + address}
		}
		updated := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
			body := consoleBlock.FindStringSubmatch(block)[1]
			var shown strings.Builder
			for _, step := range stepsOf(body) {
				commands++
				shell := shellOf(strings.ReplaceAll(step.command, "127.0.0.1:8470", address), directory, environment)
				if strings.HasSuffix(step.command, " &") {
					defer background(t, document, shell)()
					shown.WriteString("$ " + step.command + "\n" + step.output)
					continue
				}
				shown.WriteString("$ " + step.command + "\n" + step.check(t, document, shell))
			}
			return "```console\n" + shown.String() + "```"
		})
		if *update && updated != string(text) {
			if err := os.WriteFile(document, []byte(updated), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if commands < 2 {
		t.Errorf("the documents show %d commands: the README has at least two", commands)
	}
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// step is a command and its output as a document shows them.
type step struct{ command, output string }

func stepsOf(body string) []step {
	var steps []step
	for line := range strings.Lines(body) {
		if command, found := strings.CutPrefix(line, "$ "); found {
			steps = append(steps, step{command: strings.TrimSuffix(command, "\n")})
		} else if len(steps) > 0 {
			steps[len(steps)-1].output += line
		}
	}
	return steps
}

// buildForReaders makes a directory in which the repository's files can be read, and files can be written
// without harm, with the program in bin.
func buildForReaders(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "bin" && !strings.HasPrefix(name, ".") {
			if err := os.Symlink(filepath.Join(root, name), filepath.Join(directory, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", filepath.Join(directory, "bin", "fairstream"), "./cmd/fairstream")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return directory
}

// shellOf is a command as a reader types it; one that ends in & is not yet in the background.
func shellOf(command, directory string, environment []string) *exec.Cmd {
	command = strings.ReplaceAll(command, "go run ./cmd/fairstream", "fairstream")
	if waiting, found := strings.CutSuffix(command, " &"); found {
		command = "exec " + waiting
	}
	shell := exec.Command("sh", "-c", command)
	shell.Dir = directory
	shell.Env = append(os.Environ(), "PATH="+filepath.Join(directory, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	shell.Env = append(shell.Env, environment...)
	return shell
}

// background starts a command, and returns what ends it.
func background(t *testing.T, document string, shell *exec.Cmd) (end func()) {
	t.Helper()
	var output bytes.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	must(t, shell.Start())
	return func() {
		must(t, shell.Process.Signal(syscall.SIGTERM))
		if err := shell.Wait(); err != nil {
			t.Errorf("%s: %s: %v\n%s", document, shell.Args[2], err, output.String())
		}
	}
}

// check runs the step and returns the output that the document should show.
func (s step) check(t *testing.T, document string, shell *exec.Cmd) string {
	t.Helper()
	if target, found := strings.CutPrefix(s.command, "make "); found {
		makefile, err := os.ReadFile(filepath.Join(repository, "Makefile"))
		if err != nil || !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(target)+`:`).Match(makefile) {
			t.Errorf("%s: there is no target for %s (%v)", document, s.command, err)
		}
		return s.output
	}
	output, err := shell.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %s: %v\n%s", document, s.command, err, output)
		return s.output
	}
	if matches(s.output, string(output)) {
		return s.output
	}
	if !*update {
		t.Errorf("%s: %s prints\n%s\nand the document shows\n%s\n(go test ./cmd/fairstream -run TestDocuments -update corrects it)",
			document, s.command, output, s.output)
	}
	return string(output)
}

// times are what differs from run to run.
var times = regexp.MustCompile(`\d[\d,.]* (s|ms|a second)\b|"seconds":[\d.e-]+`)

// matches compares output with what a document shows of it.
func matches(shown, output string) bool {
	lines := func(text string) []string {
		return strings.Split(strings.TrimRight(times.ReplaceAllString(text, "#"), "\n"), "\n")
	}
	got := lines(output)
	parts := strings.Split(strings.Join(lines(shown), "\n"), "\n…")
	for i, part := range parts {
		want := strings.Split(strings.TrimPrefix(part, "\n"), "\n")
		if part == "" && len(parts) > 1 {
			continue
		}
		at := slices.IndexFunc(indexes(got), func(at int) bool {
			return len(got) >= at+len(want) && slices.Equal(got[at:at+len(want)], want)
		})
		if at < 0 || i == 0 && at != 0 {
			return false
		}
		got = got[at+len(want):]
	}
	openEnd := len(parts) > 1 && parts[len(parts)-1] == ""
	return len(got) == 0 || openEnd
}

func indexes(lines []string) []int {
	all := make([]int, len(lines))
	for i := range all {
		all[i] = i
	}
	return all
}

func TestMatches(t *testing.T) {
	const output = "Learnt 5 records in 0.21 s (24,000 a second).\n\none\ntwo\nthree\n{\"seconds\":0.5}\n"
	for _, test := range []struct {
		shown string
		want  bool
	}{
		{output, true},
		{"Learnt 5 records in 17 s (1 a second).\n\none\ntwo\nthree\n{\"seconds\":1e-3}\n", true},
		{"Learnt 6 records in 0.21 s (24,000 a second).\n…\n", false},
		{"Learnt 5 records in 0.21 s (24,000 a second).\n…\n", true},
		{"Learnt 5 records in 0.21 s (24,000 a second).\n…\ntwo\n…\n", true},
		{"Learnt 5 records in 0.21 s (24,000 a second).\n…\ntwo\nthree\n", false},
		{"Learnt 5 records in 0.21 s (24,000 a second).\n…\nthree\n{\"seconds\":1}\n", true},
		{"one\ntwo\n…\n", false},
		{"", false},
	} {
		if got := matches(test.shown, output); got != test.want {
			t.Errorf("%q: %v", test.shown, got)
		}
	}
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestConfigurationsInDocuments: a block of YAML with a record section is a configuration, and good.
func TestConfigurationsInDocuments(t *testing.T) {
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range yamlBlock.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains("\n"+block[1], "\nrecord:") {
				continue
			}
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(block[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, _, stderr := fairstream(t, "config", "check", "-c", file); code != done {
				t.Errorf("%s: %s", document, stderr)
			}
		}
	}
}

// TestDocumentsSayWhatMayChange: the keys that may change over a restart are those that the learner lets change.
func TestDocumentsSayWhatMayChange(t *testing.T) {
	for _, document := range []string{"deploy/README.md", "docs/regression.md"} {
		text, err := os.ReadFile(filepath.Join(repository, document))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range model.Changeable() {
			section, last := key[:strings.LastIndex(key, ".")], key[strings.LastIndex(key, ".")+1:]
			if !strings.Contains(string(text), "`"+key+"`") && (section != "learner" || !strings.Contains(string(text), "`"+last+"`")) {
				t.Errorf("%s does not say that %s may change", document, key)
			}
		}
	}
}
