package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// File is a file that a command writes. It replaces a file of its own kind, and no other: a name that was mistyped, or
// completed by the shell, may be that of the records.
type File struct {
	Flag, Name string // Flag is --save, or empty for a file whose name nobody gave
	Kind       Kind
}

// Kind is what a file holds, and how to tell.
type Kind struct {
	Words string
	Ours  *regexp.Regexp // of the beginning of such a file
}

// recognisable is within how many bytes a file shows what it is.
const recognisable = 1024

// Check says why the file cannot be written, or may not be. inputs are the files that the command reads, and writes.
func (o File) Check(inputs ...string) error {
	directory := filepath.Dir(o.Name)
	if info, err := os.Stat(directory); err != nil || !info.IsDir() {
		return fmt.Errorf("%s %s: there is no directory %s: make it, or name another file", o.Flag, o.Name, directory)
	}
	for _, input := range inputs {
		if input != "" && absolute(input) == absolute(o.Name) {
			return fmt.Errorf("%s %s: the command reads this file, or writes something else to it: name another file", o.Flag, o.Name)
		}
	}
	info, err := os.Stat(o.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.probe(directory)
	case err != nil:
		return fmt.Errorf("%s: %w", o.Flag, err)
	case info.IsDir():
		return fmt.Errorf("%s %s: is a directory: name a file in it", o.Flag, o.Name)
	case !info.Mode().IsRegular():
		return nil // a pipe or a device keeps nothing
	}
	for _, input := range inputs {
		if read, err := os.Stat(input); err == nil && os.SameFile(info, read) {
			return fmt.Errorf("%s %s: this is the file %s, which the command reads: name another file", o.Flag, o.Name, input)
		}
	}
	ours, err := o.isOurs(info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", o.Flag, err)
	}
	if !ours {
		return fmt.Errorf("%s %s: the file exists and is not %s, so it is not replaced: name another file, or remove this one", o.Flag, o.Name, o.Kind.Words)
	}
	if target, err := filepath.EvalSymlinks(o.Name); err == nil {
		directory = filepath.Dir(target)
	}
	return o.probe(directory)
}

// probe says whether files can be made in a directory. To learn it only when there is something to write may be hours too late.
func (o File) probe(directory string) error {
	file, err := os.CreateTemp(directory, ".fairstream-*")
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return fmt.Errorf("%s %s: no file can be made in the directory %s: %w", o.Flag, o.Name, directory, err)
	}
	return nil
}

func absolute(name string) string {
	if whole, err := filepath.Abs(name); err == nil {
		return whole
	}
	return name
}

// isOurs says whether the file is of the kind that is written, or empty.
func (o File) isOurs(size int64) (bool, error) {
	if size == 0 {
		return true, nil
	}
	file, err := os.Open(o.Name)
	if err != nil {
		return false, err
	}
	beginning := make([]byte, recognisable)
	n, err := io.ReadFull(file, beginning)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	beginning = bytes.TrimPrefix(beginning[:n], []byte("\ufeff"))
	return o.Kind.Ours.Match(beginning), errors.Join(err, file.Close())
}

// Write replaces the file at once, so that it is never there in part.
func (o File) Write(content []byte) (err error) {
	name := o.Name
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // what a link leads to is replaced, not the link
	}
	mode := fs.FileMode(0o644)
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return os.WriteFile(name, content, mode)
	case err == nil:
		mode = info.Mode().Perm()
	}
	part := fmt.Sprintf("%s.part-%d", name, os.Getpid())
	create := func() (*os.File, error) { return os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) }
	file, err := create()
	if errors.Is(err, fs.ErrExist) { // a process of this number was killed while it wrote: in a container all have the same
		if err = os.Remove(part); err == nil {
			file, err = create()
		}
	}
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}
