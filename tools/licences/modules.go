package licences

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is one that is linked into a program.
type Module struct {
	Path, Version string
	Identifier    string // of the licence, as SPDX has it
	Copyright     string // the lines of the licence that begin with it
	Text          string // of the licence
}

// Platforms are those for which the program is released, as GOOS/GOARCH.
var Platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// Of returns the modules that a package in a directory is linked from on any platform, by path, without its own module. A module
// without a licence, or with one that is not permitted, is an error.
func Of(directory, pkg string) ([]Module, error) {
	places := map[string]Module{}
	for _, platform := range Platforms {
		if err := list(directory, pkg, platform, places); err != nil {
			return nil, err
		}
	}
	var modules []Module
	var problems []error
	for place, m := range places {
		if err := m.read(place); err != nil {
			problems = append(problems, err)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b Module) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(problems, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return modules, errors.Join(problems...)
}

// list adds the modules of one platform by the directory that holds them.
func list(directory, pkg, platform string, places map[string]Module) error {
	system, architecture, _ := strings.Cut(platform, "/")
	command := exec.Command("go", "list", "-deps", "-json=Module", pkg)
	command.Dir = directory
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture)
	var output, said bytes.Buffer
	command.Stdout, command.Stderr = &output, &said
	if err := command.Run(); err != nil {
		return fmt.Errorf("go list -deps %s for %s: %w\n%s", pkg, platform, err, said.Bytes())
	}
	for decoder := json.NewDecoder(&output); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Module != nil && !p.Module.Main {
			places[p.Module.Dir] = Module{Path: p.Module.Path, Version: p.Module.Version}
		}
	}
}

// read finds the licence of a module in its directory.
func (m *Module) read(directory string) error {
	files, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, file := range files {
		name := strings.ToUpper(file.Name())
		if file.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(directory, file.Name()))
		if err != nil {
			return err
		}
		if identifier := recognise(string(text)); identifier != "" && m.Identifier == "" {
			m.Identifier = identifier
			m.Copyright = copyright(string(text))
		}
		m.Text += strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) + "\n"
	}
	switch {
	case m.Identifier == "":
		return fmt.Errorf("%s %s: no licence was recognised", m.Path, m.Version)
	case !permitted[m.Identifier]:
		return fmt.Errorf("%s %s: its licence %s is not permitted", m.Path, m.Version, m.Identifier)
	}
	return nil
}

// copyright gives the lines that name who holds it.
func copyright(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		// The Apache licence has lines that begin with the word in its terms and in its appendix.
		if strings.HasPrefix(line, "Copyright ") && !strings.Contains(line, "[") && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
