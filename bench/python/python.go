// Package python finds the interpreter of the studies that compare fairstream with Python packages.
package python

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Interpreter is the name of a Python that the pinned packages of a study can be installed for. Without one the test is
// skipped; if CI is true, it fails.
func Interpreter(t testing.TB) string {
	t.Helper()
	const check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
	names := []string{"python3", "python3.14", "python3.13", "python3.12", "python3.11"}
	for _, name := range names {
		if exec.CommandContext(t.Context(), name, "-c", check).Run() == nil {
			return name
		}
	}
	const missing = "no Python 3.11 or later with venv and ensurepip among "
	if os.Getenv("CI") == "true" {
		t.Fatal(missing + strings.Join(names, ", "))
	}
	t.Skip("skipped: " + missing + strings.Join(names, ", ") + " (CI=true makes this a failure)")
	return ""
}
