// Command site lays out the documents of the repository for mkdocs: the Markdown files and pictures in their directories, so that
// links between them hold, links to other files of the repository as addresses on its page, and two pages that the program
// itself writes: all commands, and all keys of the configuration. A link to a file that is not there is an error.
// It may import every package of the tools.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/tools/manual"
)

// source is where files that are no pages are read.
const source = "https://github.com/fairstream/fairstream/blob/main/"

// pages are those of the site, as patterns of paths in the repository.
var pages = []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "deploy/README.md", "examples/*.md", "examples/*/README.md", "bench/*/RESULTS.md"}

// pictures go along.
var pictures = []string{"docs/figures/*.png", "docs/figures/*.svg", "docs/pictures/*"}

func main() {
	repository := flag.String("repository", "..", "`DIRECTORY` of the checkout")
	program := flag.String("program", "", "`FILE` of the program")
	out := flag.String("out", "", "`DIRECTORY` to write")
	flag.Parse()
	if err := run(*repository, *program, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(repository, program, out string) error {
	written := map[string][]byte{}
	commands, err := manual.Commands(program)
	if err != nil {
		return err
	}
	written["docs/commands.md"] = []byte(manual.Markdown(commands))
	keys, err := exec.Command(program, "config", "keys", "--all").Output()
	if err != nil {
		return fmt.Errorf("fairstream config keys --all: %w", err)
	}
	written["docs/keys.md"] = []byte("# Keys of the configuration\n\nThis page is what `fairstream config keys --all` prints.\n\n```text\n" + string(keys) + "```\n")
	for _, pattern := range append(pages, pictures...) {
		names, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			relative, err := filepath.Rel(repository, name)
			if err != nil {
				return err
			}
			if written[filepath.ToSlash(relative)], err = os.ReadFile(name); err != nil {
				return err
			}
		}
	}
	var problems []error
	for name, text := range written {
		if strings.HasSuffix(name, ".md") {
			linked, err := relink(repository, name, text, func(target string) bool { return written[target] != nil })
			text, problems = linked, append(problems, err)
		}
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(problems...)
}

// links of Markdown: the text, and the target with its anchor.
var links = regexp.MustCompile(`\]\(([^)\s#]+)(#[^)\s]*)?\)`)

// relink turns the links of a page that lead to no page into addresses.
func relink(repository, page string, text []byte, is func(string) bool) ([]byte, error) {
	var problems []error
	linked := links.ReplaceAllFunc(text, func(link []byte) []byte {
		parts := links.FindSubmatch(link)
		target := string(parts[1])
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			return link
		}
		target = path.Join(path.Dir(page), target)
		if is(target) {
			return link
		}
		if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(target))); err != nil {
			problems = append(problems, fmt.Errorf("%s: %s leads to nothing", page, link))
			return link
		}
		return bytes.Join([][]byte{[]byte("](" + source + target), parts[2], []byte(")")}, nil)
	})
	return linked, errors.Join(problems...)
}
