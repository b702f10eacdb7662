package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"time"
)

// file is one of a release: its path has slashes and does not begin with one.
type file struct {
	path    string
	mode    int64
	content []byte
}

// ordered sorts files by path, so that equal files make equal archives.
func ordered(files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return files
}

// tape makes a tar archive of files that belong to root, with an entry for each directory above them.
func tape(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	made := map[string]bool{}
	for _, f := range ordered(files) {
		for i, c := range f.path {
			if directory := f.path[:i]; c == '/' && !made[directory] {
				made[directory] = true
				if err := w.WriteHeader(&tar.Header{Name: directory + "/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: date, Format: tar.FormatPAX}); err != nil {
					return nil, err
				}
			}
		}
		if err := w.WriteHeader(&tar.Header{Name: f.path, Mode: f.mode, Size: int64(len(f.content)), ModTime: date, Format: tar.FormatPAX}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// compressed is the content as gzip has it, at its best.
func compressed(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// zipped makes a ZIP archive, as Windows opens it.
func zipped(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range ordered(files) {
		part, err := w.CreateHeader(&zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: date.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(part, bytes.NewReader(f.content)); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// archive is what a platform's users download: a ZIP for Windows, tar with gzip for the others. All is in one directory.
func archive(p platform, version string, files []file, date time.Time) (file, error) {
	directory := strings.Join([]string{"fairstream", version, p.system, p.architecture}, "_")
	inside := make([]file, len(files))
	for i, f := range files {
		inside[i] = file{directory + "/" + f.path, f.mode, f.content}
	}
	if p.system == "windows" {
		content, err := zipped(inside, date)
		return file{directory + ".zip", 0o644, content}, err
	}
	content, err := tape(inside, date)
	if err == nil {
		content, err = compressed(content)
	}
	return file{directory + ".tar.gz", 0o644, content}, err
}
