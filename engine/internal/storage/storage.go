// Package storage is files on a disk, or by addresses such as s3://bucket/key, through Beam's file systems.
//
// Its files, in the order in which they are read:
//
//	address.go  names, patterns, and what Beam makes of them
//	storage.go  files listed, read, written, removed and copied
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // a file system registers itself
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)

// on has a file system do something. Some of Beam's panic where they cannot begin.
func on(ctx context.Context, name string, do func(files filesystem.Interface) error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%v", problem)
		}
	}()
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(do(files), files.Close())
}

// naming puts the address of a file before an error that does not have it. Errors of a disk do.
func naming(name string, err error) error {
	if err != nil && IsAddress(name) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// List returns the names that match a pattern, as filepath.Match says.
func List(ctx context.Context, pattern string) (names []string, err error) {
	if !IsAddress(pattern) {
		return filepath.Glob(pattern)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	err = on(ctx, pattern, func(files filesystem.Interface) error {
		names, err = files.List(ctx, address(broad(pattern)))
		return err
	})
	return slices.DeleteFunc(names, func(name string) bool { return !matches(pattern, name) }), err
}

// IsEmpty says whether a folder has no file, or is not there.
func IsEmpty(ctx context.Context, folder string) (bool, error) {
	if !IsAddress(folder) {
		list, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return len(list) == 0, err
	}
	names, err := List(ctx, Join(literal(folder), "*"))
	return len(names) == 0, err
}

// Stat returns how many bytes a file has, and when it was changed, which is zero where the file system does not tell.
func Stat(ctx context.Context, name string) (size int64, changed time.Time, err error) {
	if !IsAddress(name) {
		info, err := os.Stat(name)
		if err != nil {
			return 0, changed, err
		}
		return info.Size(), info.ModTime(), nil
	}
	err = on(ctx, name, func(files filesystem.Interface) error {
		if size, err = files.Size(ctx, address(name)); err != nil {
			return err
		}
		if knows, is := files.(filesystem.LastModifiedGetter); is {
			changed, err = knows.LastModified(ctx, address(name))
		}
		return err
	})
	return size, changed, err
}

// Read returns a file.
func Read(ctx context.Context, name string) (data []byte, err error) {
	err = on(ctx, name, func(files filesystem.Interface) error {
		from, err := files.OpenRead(ctx, address(name))
		if err != nil {
			return err
		}
		data, err = io.ReadAll(from)
		return errors.Join(err, from.Close())
	})
	return data, naming(name, err)
}

// Exists says whether there is a file of a name.
func Exists(ctx context.Context, name string) bool {
	_, _, err := Stat(ctx, name)
	return err == nil
}

// Write writes a file that is never there in part: under its name when it is complete.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	if !IsAddress(name) {
		return writeLocal(name, write)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return naming(name, on(ctx, name, func(files filesystem.Interface) error {
		to, err := files.OpenWrite(ctx, address(name)) // objects are there when they are closed
		if err != nil {
			return err
		}
		if err := write(to); err != nil {
			cancel() // or the part that was written would be there
			_ = to.Close()
			return err
		}
		return to.Close()
	}))
}

func writeLocal(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	to, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(to), to.Close()); err != nil {
		return errors.Join(err, os.Remove(to.Name()))
	}
	return os.Rename(to.Name(), name)
}

// WriteBytes writes a file.
func WriteBytes(ctx context.Context, name string, data []byte) error {
	return Write(ctx, name, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// Remove removes a file, if it is there.
func Remove(ctx context.Context, name string) error {
	err := on(ctx, name, func(files filesystem.Interface) error {
		remover, can := files.(filesystem.Remover)
		if !can {
			return fmt.Errorf("%s: its file system cannot remove files", name)
		}
		return remover.Remove(ctx, address(name))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Local makes a file readable on this machine, until release is called. A file with an address is copied.
func Local(ctx context.Context, name string) (local string, release func(), err error) {
	if !IsAddress(name) {
		return name, func() {}, nil
	}
	copied, err := os.CreateTemp("", "fairstream-*-"+path.Base(name)) // the end of the name tells the format
	if err != nil {
		return "", nil, err
	}
	release = func() { _ = os.Remove(copied.Name()) } // it is of no more use
	err = on(ctx, name, func(files filesystem.Interface) error {
		from, err := files.OpenRead(ctx, address(name))
		if err != nil {
			return err
		}
		_, err = io.Copy(copied, from)
		return errors.Join(err, from.Close())
	})
	if err = errors.Join(err, copied.Close()); err != nil {
		release()
		return "", nil, err
	}
	return copied.Name(), release, nil
}
