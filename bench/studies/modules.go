package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/fairstream/fairstream/bench/sources"
)

// engine is below what the packages of the module engine are.
const engine = sources.Module + "/engine/"

// module is one whose tests are studies.
type module struct {
	folder, below string
	alone         bool // go.work leaves it out
}

func modules(root string) []module {
	return []module{{folder: root, below: sources.Module + "/bench/"}, {folder: filepath.Join(root, "engine"), below: engine, alone: true}}
}

// load lists the packages of the module.
func (m module) load(ctx context.Context) (map[string]sources.Package, error) {
	if m.alone {
		return sources.LoadAlone(ctx, m.folder, "./...")
	}
	return sources.Load(ctx, m.folder, "./bench/...")
}

// test runs the tests of a package.
func (m module) test(ctx context.Context, name string) error {
	command := exec.CommandContext(ctx, "go", "test", "-vet=off", "-ldflags=-w", "-timeout", "60m", name)
	command.Dir, command.Stdout, command.Stderr, command.Env = m.folder, os.Stdout, os.Stderr, os.Environ()
	if m.alone {
		command.Env = append(command.Env, sources.Alone...)
	}
	return command.Run()
}
