package backfill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
)

// find returns the files that patterns name, in the order of their names.
func find(patterns []string, format string, far Far) (*files, error) {
	f := &files{far: far}
	seen := map[string]bool{}
	for _, pattern := range patterns {
		found, err := match(pattern, format, far)
		if err != nil {
			return nil, fmt.Errorf("--input %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("--input %s: no file has such a name; quote the pattern, so that the shell leaves it alone", pattern)
		}
		for i := range found {
			name := found[i].source.Name
			if spelt := strings.Join(elements(name), "/"); !seen[spelt] {
				seen[spelt] = true
				found[i].key = keyOf(pattern, name)
				f.list = append(f.list, found[i])
			}
		}
	}
	slices.SortFunc(f.list, func(a, b file) int { return strings.Compare(a.source.Name, b.source.Name) })
	if far == nil {
		if err := f.twice(); err != nil {
			return nil, err
		}
	}
	times := map[string]int{}
	for i := range f.list {
		f.list[i].key = tellApart(times, f.list[i].key)
	}
	return f, nil
}

// match returns the files that a pattern names.
func match(pattern, format string, far Far) (list []file, err error) {
	if far != nil {
		found, err := far.Find(pattern)
		for _, one := range found {
			list = append(list, file{source: input.Source{Name: one.Name}, bytes: one.Bytes, changed: one.Changed})
		}
		return list, err
	}
	names, err := filepath.Glob(pattern)
	if err == nil {
		err = passable(pattern)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if name == input.Bundled || name == input.StandardInput {
			name = "./" + name // a file that has this name
		}
		one, err := open(name, format)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// passable says why a pattern may miss files: filepath.Glob passes over folders that cannot be read, and takes two stars for one, without a word.
func passable(pattern string) error {
	if slices.Contains(strings.Split(filepath.ToSlash(pattern), "/"), "**") {
		return errors.New("** is not supported: * stands for one level of folders; give --input once for each depth, as in -i 'history/*.csv' -i 'history/*/*.csv'")
	}
	if !strings.ContainsAny(pattern, wildcards) {
		_, err := os.Stat(pattern)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // as of any pattern
		}
		return err
	}
	for folder := filepath.Dir(pattern); ; folder = filepath.Dir(folder) {
		names, err := filepath.Glob(folder)
		if err != nil {
			return err
		}
		for _, name := range names {
			switch info, err := os.Stat(name); {
			case err != nil:
				return err
			case !info.IsDir():
				continue
			}
			if _, err := os.ReadDir(name); err != nil {
				return err
			}
		}
		if !strings.ContainsAny(folder, wildcards) {
			return nil
		}
	}
}

// twice says whether two names lead to one file, such as a link to the newest: its records would count twice.
func (f *files) twice() error {
	type looks struct {
		bytes   int64
		changed time.Time
	}
	alike := map[looks][]string{}
	for i := range f.list {
		name, as := f.list[i].source.Name, looks{f.list[i].bytes, f.list[i].changed.UTC()}
		for _, other := range alike[as] {
			a, err := os.Stat(other)
			if err != nil {
				return err
			}
			b, err := os.Stat(name)
			if err != nil {
				return err
			}
			if os.SameFile(a, b) {
				return fmt.Errorf("%s and %s are the same file, whose records would count twice: name one of them", other, name)
			}
		}
		alike[as] = append(alike[as], name)
	}
	return nil
}

// open finds out whether a file can be read.
func open(name, format string) (file, error) {
	if end := strings.ToLower(filepath.Ext(name)); format == "" && slices.Contains([]string{".zst", ".bz2", ".xz", ".lz4", ".zip"}, end) {
		return file{}, fmt.Errorf("%s is compressed in a format that is not supported: decompress it, or compress it with gzip (.csv.gz, .jsonl.gz)", name)
	}
	source, err := input.NewSource(name, format, nil)
	if err != nil {
		return file{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return file{}, err
	}
	if !info.Mode().IsRegular() { // to open a pipe that nobody writes to would wait for ever
		return file{}, fmt.Errorf("%s is not a regular file, so it cannot be read again in each pass: copy its contents into one", name)
	}
	opened, err := os.Open(name)
	if err == nil {
		err = opened.Close()
	}
	if err != nil {
		return file{}, err
	}
	return file{source: source, bytes: info.Size(), changed: info.ModTime()}, nil
}
