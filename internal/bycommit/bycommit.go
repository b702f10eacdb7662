// Package bycommit chooses the cases that a test with very many of them takes. Each commit takes others, so that all are taken in time, and a
// failure can be repeated.
package bycommit

import (
	"hash/fnv"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Variable of the environment: all takes every case, as make nightly does, and any other value stands for the commit.
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
