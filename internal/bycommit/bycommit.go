// Package bycommit chooses which cases a test with very many of them runs. Each commit runs others, so every case is run in the course of time,
// and a failure can be repeated.
package bycommit

import (
	"hash/fnv"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Variable is the environment variable that overrides the commit: all runs every case, as make nightly does; any other value stands for a commit.
const Variable = "FAIRSTREAM_TEST_FAULTS"

// Of is which of the cases 0, 1, 2, ... to take: first, first+every, and so on. One of each share is taken. The test's log says how to take the same ones.
func Of(t testing.TB, cases string, share int) (first, every int) {
	t.Helper()
	from := chosen()
	if from == "all" || share == 1 {
		return 0, 1
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(from + cases))
	first = int(h.Sum32() % uint32(share))
	t.Logf("%s %d, %d, ...: %s=%s", cases, first, first+share, Variable, from)
	return first, share
}

// Some are those of the cases that Of takes, at least one if there are any.
func Some[T any](t testing.TB, name string, cases []T, share int) (some []T) {
	t.Helper()
	first, every := Of(t, name, max(1, min(share, len(cases))))
	for i := first; i < len(cases); i += every {
		some = append(some, cases[i])
	}
	return some
}

var chosen = sync.OnceValue(func() string {
	if given := os.Getenv(Variable); given != "" {
		return given
	}
	commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "release" // the source of a release has no commits
	}
	return strings.TrimSpace(string(commit))
})
