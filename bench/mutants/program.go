package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// switches is the file that is added to a package with woven mutants: which one is on, and a log of those that a test reaches. Every
// function gives what the product computes unless its mutant is on, and asks for its mutant only where that would make a difference: where both sides
// of a bound are equal, or a check is true. The log has a line for each test that begins, and one for each mutant that is asked for since.
//
//go:embed switches.go.tmpl
var switches string

// A program is the tests of a package with woven mutants, built.
type program struct {
	directory, path string // a temporary directory, and the program in it
	overlay         string // what the compiler read in place of the tree
	untested        bool   // the package has no tests
}

// prepare builds the tests of a package. A switch that the compiler refuses is left, and its mutant is tried by itself later.
func prepare(ctx context.Context, root, path, directory string, sites []site) (*program, *woven, error) {
	left := map[int]bool{}
	for {
		w, err := weave(ctx, root, path, sites, left)
		if err != nil {
			return nil, nil, err
		}
		p := &program{directory: directory, path: filepath.Join(directory, "tests"), overlay: filepath.Join(directory, "overlay.json")}
		replaced := map[string][]byte{filepath.Join(path, "mutants_switches.go"): fmt.Appendf(nil, switches, w.name, len(sites))}
		for name, text := range w.files {
			replaced[name] = text
		}
		tests, err := filepath.Glob(filepath.Join(root, path, "*_test.go"))
		if err != nil {
			return nil, nil, err
		}
		p.untested = len(tests) == 0
		for _, name := range tests {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, nil, err
			}
			text, file, err := instrument(name, text)
			if err != nil {
				return nil, nil, err
			}
			outside := file.Name.Name != w.name
			if outside && w.name == "main" { // cannot be imported
				continue
			}
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return nil, nil, err
			}
			replaced[relative] = text
			if outside {
				replaced[filepath.Join(path, "mutants_outside_test.go")] = fmt.Appendf(nil, "package %s\n\nimport mutated %q\n\nfunc MutantTest(name string) { mutated.MutantTest(name) }\n", file.Name.Name, module+"/"+path)
			}
		}
		if err := writeOverlay(root, directory, p.overlay, replaced); err != nil {
			return nil, nil, err
		}
		said, err := compileTests(ctx, root, path, p)
		if err == nil {
			return p, w, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if !leave(said, sites, left) {
			return nil, nil, fmt.Errorf("the tests of %s do not build: %s", path, said)
		}
	}
}

// compileTests builds a package, and its tests if it has some.
func compileTests(ctx context.Context, root, path string, p *program) (said string, err error) {
	arguments := []string{"test", "-c", "-vet=off", "-o", p.path}
	if p.untested {
		arguments = []string{"build", "-o", os.DevNull}
	}
	command := exec.CommandContext(ctx, "go", append(arguments, "-trimpath", "-ldflags=-s", "-gcflags=-e", "-overlay", p.overlay, "./"+path)...)
	command.Dir = root
	text, err := command.CombinedOutput()
	return string(text), err
}

// leave marks the sites at the lines that a compiler complained about, or those nearest to them, and says whether there was one.
func leave(said string, sites []site, left map[int]bool) (found bool) {
	for line := range strings.Lines(said) {
		parts := strings.SplitN(line, ":", 3)
		var number int
		if len(parts) < 3 {
			continue
		}
		if _, err := fmt.Sscan(parts[1], &number); err != nil {
			continue
		}
		nearest := -1
		for i, s := range sites {
			if filepath.Base(s.File) != filepath.Base(parts[0]) || left[i] {
				continue
			}
			if far := max(s.Line-number, number-s.Line); nearest < 0 || far < nearest {
				nearest = far
			}
		}
		for i, s := range sites {
			if filepath.Base(s.File) == filepath.Base(parts[0]) && !left[i] && max(s.Line-number, number-s.Line) == nearest {
				left[i], found = true, true
			}
		}
	}
	return found
}

// writeOverlay writes files, and what names them to the compiler in place of others of the tree.
func writeOverlay(root, directory, overlay string, files map[string][]byte) error {
	replace := map[string]string{}
	for name, text := range files {
		written := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(written), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(written, text, 0o600); err != nil {
			return err
		}
		replace[filepath.Join(root, name)] = written
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, text, 0o600)
}
