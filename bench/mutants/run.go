package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// fate is what became of a mutant.
type fate int

const (
	survived fate = iota
	killed
	unbuilt // it does not compile: another one is drawn in its place
	pending // it is being tried, or was when the run was interrupted
)

// tests are which tests of a package a mutant must get past.
type tests struct {
	limit time.Duration // of one package's tests
	short bool          // only those that go test -short runs
}

func (t tests) String() string {
	if t.short {
		return "tests of go test -short"
	}
	return "all tests"
}

// trial runs a package's own tests on a mutant. The tree stays as it is: the compiler reads the mutated file through an
// overlay. A mutant that makes the tests hang is killed, too: so would a person be who waits for them.
func trial(ctx context.Context, root string, s site, how tests) (fate, error) {
	directory, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return survived, err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	original := filepath.Join(root, s.File)
	text, err := os.ReadFile(original)
	if err != nil {
		return survived, err
	}
	mutated, overlay := filepath.Join(directory, "mutated.go"), filepath.Join(directory, "overlay.json")
	if err := os.WriteFile(mutated, s.apply(text), 0o600); err != nil {
		return survived, err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{original: mutated}})
	if err != nil {
		return survived, err
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return survived, err
	}
	run := func(verb string, arguments ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, 2*how.limit)
		defer cancel()
		command := exec.CommandContext(ctx, "go", append([]string{verb, "-overlay", overlay}, arguments...)...)
		command.Dir = root
		command.WaitDelay = time.Second
		output, err := command.CombinedOutput()
		return string(output), err
	}
	flags := []string{"-trimpath", "-ldflags=-w", "-vet=off", "-failfast", "-timeout", how.limit.String(), "./" + s.Package}
	output, err := run("test", append(flags, "-short")...)
	if strings.Contains(output, "[no test files]") {
		if _, err = run("build", "-trimpath", "./"+s.Package); err != nil {
			return unbuilt, ctx.Err()
		}
		return survived, nil
	}
	if strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]") {
		return unbuilt, nil
	}
	if err == nil && !how.short { // the slow tests, then
		_, err = run("test", flags...)
	}
	if ctx.Err() != nil {
		return survived, ctx.Err()
	}
	if err != nil {
		return killed, nil
	}
	return survived, nil
}
