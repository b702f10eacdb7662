package architecture

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExampleModules builds and runs the modules in examples/library, as somebody who uses the project as a library would.
func TestExampleModules(t *testing.T) {
	if testing.Short() {
		t.Skip("builds modules")
	}
	modules, err := filepath.Glob("../../examples/library/*/go.mod")
	if err != nil || len(modules) < 2 {
		t.Fatalf("%d modules: %v", len(modules), err)
	}
	for _, module := range modules {
		command := exec.Command("go", "test", "-trimpath", "-vet=off", "-ldflags=-s", ".")
		command.Dir = filepath.Dir(module)
		command.Env = append(os.Environ(), "GOWORK=off")
		if printed, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command.Dir, err, printed)
		}
	}
}
