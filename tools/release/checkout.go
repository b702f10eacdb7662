package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// versions that a release may have: Go takes a module without a suffix in its path for v0 or v1.
var versions = regexp.MustCompile(`^v[01]\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

// checkout is a commit in a directory of its own.
type checkout struct {
	directory string
	version   string // v1.2.3
	revision  string
	date      time.Time // of the commit
	unsaved   bool      // the repository has changes that are not committed, and so not in it
}

// clone makes a checkout of what HEAD of the repository is, with no tag but the version: go build takes the version from it,
// and marks nothing as modified.
func clone(repository, directory, version string) (*checkout, error) {
	if !versions.MatchString(version) {
		return nil, fmt.Errorf("version %q: a version is v0.X.Y or v1.X.Y, such as v0.1.0 or v1.0.0-rc.1", version)
	}
	c := &checkout{directory: directory, version: version}
	revision, err := git(repository, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	c.revision = revision
	changes, err := git(repository, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	c.unsaved = changes != ""
	root, err := git(repository, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	for _, arguments := range [][]string{
		{"clone", "--quiet", "--shared", "--no-tags", "--no-checkout", root, directory},
		{"-C", directory, "checkout", "--quiet", "--detach", revision},
		{"-C", directory, "tag", version},
	} {
		if _, err := git(".", arguments...); err != nil {
			return nil, err
		}
	}
	seconds, err := git(directory, "show", "-s", "--format=%ct", "HEAD")
	if err != nil {
		return nil, err
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	c.date = time.Unix(at, 0).UTC()
	return c, err
}

func git(directory string, arguments ...string) (string, error) {
	var said bytes.Buffer
	command := exec.Command("git", arguments...)
	command.Dir, command.Stderr = directory, &said
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(arguments, " "), err, said.Bytes())
	}
	return strings.TrimSpace(string(output)), nil
}

// read is a file of the checkout, under another name.
func (c *checkout) read(path, as string, mode int64) (file, error) {
	content, err := os.ReadFile(filepath.Join(c.directory, filepath.FromSlash(path)))
	return file{as, mode, content}, err
}
