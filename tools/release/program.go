package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/fairstream/fairstream/tools/licences"
	"github.com/fairstream/fairstream/tools/manual"
)

// platform is one that the program is built for.
type platform struct{ system, architecture string }

func platforms() []platform {
	var all []platform
	for _, name := range licences.Platforms {
		system, architecture, _ := strings.Cut(name, "/")
		all = append(all, platform{system, architecture})
	}
	return all
}

// programFile is the name of the program on a platform.
func (p platform) programFile() string {
	if p.system == "windows" {
		return "fairstream.exe"
	}
	return "fairstream"
}

// build builds the program, static and without the names of directories, from the product's own go.mod.
func (c *checkout) build(p platform, output string) ([]byte, error) {
	path := filepath.Join(output, p.system+"_"+p.architecture, p.programFile())
	profile, err := c.profile()
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "build", "-buildvcs=true", "-trimpath", "-ldflags=-s -w", "-gcflags=github.com/fairstream/fairstream/...=-pgoprofile="+profile, "-o", path, "./cmd/fairstream")
	command.Dir = c.directory
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.architecture, "GOAMD64=v1", "GOARM64=v8.0")
	if said, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build for %s/%s: %w\n%s", p.system, p.architecture, err, said)
	}
	return os.ReadFile(path)
}

// profile is the file that the project's packages are compiled by, as make build does.
func (c *checkout) profile() (string, error) {
	found, err := filepath.Glob(filepath.Join(c.directory, "cmd/fairstream/replay-*.pgo"))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("there are %d files cmd/fairstream/replay-*.pgo in place of one: make pgo", len(found))
	}
	if err != nil {
		return "", err
	}
	return filepath.Rel(c.directory, found[0])
}

// host builds the program for this machine, which is one more platform if it is not released for it, and returns its path.
func (c *checkout) host(output string) (string, error) {
	p := platform{runtime.GOOS, runtime.GOARCH}
	_, err := c.build(p, output)
	return filepath.Join(output, p.system+"_"+p.architecture, p.programFile()), err
}

// helpers are the completions of three shells, and the man pages, which the program itself has to offer.
func (c *checkout) helpers(program string) (completions, pages []file, err error) {
	for shell, name := range map[string]string{"bash": "fairstream", "zsh": "_fairstream", "fish": "fairstream.fish"} {
		var said bytes.Buffer
		command := exec.Command(program, "completion", shell)
		command.Stderr = &said
		script, err := command.Output()
		if err != nil {
			return nil, nil, fmt.Errorf("fairstream completion %s: %w: %s", shell, err, said.Bytes())
		}
		completions = append(completions, file{shell + "/" + name, 0o644, script})
	}
	commands, err := manual.Commands(program)
	if err != nil {
		return nil, nil, err
	}
	for name, text := range manual.Pages(commands, c.version, c.date) {
		pages = append(pages, file{name, 0o644, []byte(text)})
	}
	return ordered(completions), ordered(pages), nil
}
