//go:build unix

package replay

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestAPipeIsReadOnce: what is looked at once more after the learning is no pipe, which nobody writes to any more.
func TestAPipeIsReadOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	records := madeRecords(600)
	for _, name := range []string{"a.csv", "b.csv"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
		go func() { _ = os.WriteFile(name, []byte(records), 0o600) }() // the test waits for what it learns of it
	}
	if got := replayed(t, Settings{Inputs: []string{"a.csv", "b.csv"}}, nil, oneConstraint, nil, nil, nil); !strings.Contains(got, "accuracy") {
		t.Errorf("nothing was learnt:\n%s", got)
	}
}
