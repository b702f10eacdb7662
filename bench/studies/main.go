// Command studies runs the tests of the studies that may have changed since they last passed.
//
//	go run ./bench/studies            those whose code, or code below them, is not the code that passed
//	go run ./bench/studies -all       all of them; what passed is written to bench/studies/passed.txt
//
// The tests of the module engine are among them: to build them takes minutes, too, where nothing of them was built before.
//
// A study takes minutes and depends on little else than the learner. passed.txt holds, for each package with tests below bench/ and engine/, the
// SHA-256 of everything that its tests are built from within the repository, the date on which they passed, and how long they took.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/bench/sources"
)

func main() {
	all := flag.Bool("all", false, "run every study, and write down those that passed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *all); err != nil {
		fmt.Fprintln(os.Stderr, "studies:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, all bool) error {
	root, err := sources.Root(ctx)
	if err != nil {
		return err
	}
	written := filepath.Join(root, "bench", "studies", "passed.txt")
	text, err := os.ReadFile(written)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	before, err := parse(string(text))
	if err != nil {
		return err
	}
	now := map[string]passed{}
	failed := 0
	for _, m := range modules(root) {
		packages, err := m.load(ctx)
		if err != nil {
			return err
		}
		for _, name := range studies(packages, m.below) {
			sum, err := sumOf(root, packages, name)
			if err != nil {
				return err
			}
			if last, there := before[name]; there && last.sum == sum && !all {
				fmt.Printf("unchanged %s (passed on %s in %d s)\n", name, last.date, last.seconds)
				now[name] = last
				continue
			}
			began := time.Now()
			if m.test(ctx, name) != nil {
				failed++
				continue
			}
			now[name] = passed{sum, began.Format(time.DateOnly), int(time.Since(began).Seconds())}
		}
	}
	if all {
		if err := os.WriteFile(written, []byte(format(now)), 0o600); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("the tests of %d studies failed", failed)
	}
	return nil
}

// passed is the last time that the tests of a study passed.
type passed struct {
	sum     string
	date    string
	seconds int
}

func parse(text string) (map[string]passed, error) {
	all := map[string]passed{}
	for line := range strings.Lines(text) {
		var name string
		var p passed
		if _, err := fmt.Sscan(line, &name, &p.sum, &p.date, &p.seconds); err != nil {
			return nil, fmt.Errorf("a line of passed.txt cannot be read: %w: run `go run ./bench/studies -all`", err)
		}
		all[name] = p
	}
	return all, nil
}

func format(all map[string]passed) string {
	var lines []string
	for name, p := range all {
		lines = append(lines, fmt.Sprintf("%s %s %s %d\n", name, p.sum, p.date, p.seconds))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// studies are the packages of a module that have tests.
func studies(packages map[string]sources.Package, below string) (names []string) {
	for name, p := range packages {
		if p.ForTest == "" && strings.HasPrefix(name, below) && len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// directive begins a comment of a test that names files or folders which the test reads at run time, relative to its own folder.
const directive = "//studies:reads "

// reads are the files and folders that the tests of a study name in directives.
func reads(p sources.Package) (paths []string, err error) {
	for _, file := range append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...) {
		text, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if named, found := strings.CutPrefix(line, directive); found {
				for pattern := range strings.FieldsSeq(named) {
					matches, err := filepath.Glob(filepath.Join(p.Dir, pattern))
					if err != nil || len(matches) == 0 {
						return nil, fmt.Errorf("%s: %s%s names no file", file, directive, pattern)
					}
					paths = append(paths, matches...)
				}
			}
		}
	}
	return paths, nil
}

// sumOf is a hash of all files of the repository that the tests of a study are built from or read: the packages, what they embed,
// the study's folder testdata, what its tests name in directives, and the versions of libraries.
func sumOf(root string, packages map[string]sources.Package, study string) (string, error) {
	files := sources.Files(root, packages, study, study+".test", study+" ["+study+".test]", study+"_test ["+study+".test]")
	p := packages[study]
	if strings.HasPrefix(study, engine) {
		files[filepath.Join(root, "engine", "go.sum")] = true
	}
	for _, list := range [][]string{p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles} {
		for _, file := range list {
			files[filepath.Join(p.Dir, file)] = true
		}
	}
	read, err := reads(p)
	if err != nil {
		return "", err
	}
	for _, from := range append(read, filepath.Join(p.Dir, "testdata")) {
		err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && entry.Type().IsRegular() {
				files[path] = true
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return sources.Sum(root, files)
}
