package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/parquetlines"
	"github.com/fairstream/fairstream/pkg/record"
)

// source is something that holds records and is read from its beginning.
type source struct {
	name string
	open func(record.Limits) (*record.Reader, error)
	// takes says which rows belong to the source, counted from 0; nil takes all.
	takes func(row int) bool
	// shuffled is set if the rows are read in a random order.
	shuffled *shuffled
}

// Names of inputs that are not files.
const (
	bundled       = "adult" // the bundled records
	standardInput = "-"
)

// formatUsage explains --format.
const formatUsage = "what the input is, whatever its name: csv, jsonl, csv.gz, jsonl.gz or parquet (default by extension)"

// newSource returns the source that an --input or --holdout names. Without a format files tell theirs by their
// extension; standard input needs one.
func newSource(name, format string, stdin io.Reader) (source, error) {
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return source{}, fmt.Errorf("%s is a directory: name a file of records", name)
	case err != nil && (strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")):
		return source{}, errors.New("an address on the web cannot be read: download the file first, as with `curl -LO ADDRESS`")
	}
	if format == parquetFormat || format == "" && strings.HasSuffix(strings.ToLower(name), "."+parquetFormat) {
		return newParquet(name)
	}
	if name == standardInput {
		of, gzipped, err := record.FormatOf("." + format)
		if err != nil {
			return source{}, fmt.Errorf("--format %q: standard input needs csv, jsonl, csv.gz or jsonl.gz", format)
		}
		return source{name: "standard input", open: func(limits record.Limits) (*record.Reader, error) {
			if gzipped {
				unpacked, err := gzip.NewReader(stdin)
				if err != nil {
					return nil, fmt.Errorf("standard input is not gzip: %w", err)
				}
				return record.NewReader(unpacked, of, limits)
			}
			return record.NewReader(stdin, of, limits)
		}}, nil
	}
	of, gzipped, err := record.FormatOf(name)
	if format != "" {
		if of, gzipped, err = record.FormatOf("." + format); err != nil {
			return source{}, fmt.Errorf("--format %q is unknown: use csv, jsonl, csv.gz, jsonl.gz or parquet", format)
		}
		gzipped = gzipped || strings.HasSuffix(strings.ToLower(name), ".gz")
	}
	if err != nil {
		return source{}, fmt.Errorf("%w, or .parquet, or give --format", err)
	}
	return source{name: name, open: func(limits record.Limits) (*record.Reader, error) {
		return record.OpenAs(name, of, gzipped, limits)
	}}, nil
}

// parquetFormat is the format and the extension of Parquet files.
const parquetFormat = "parquet"

// newParquet returns a Parquet file, whose rows are read as JSON lines.
func newParquet(name string) (source, error) {
	if name == standardInput {
		return source{}, errors.New("--format parquet: a Parquet file is read from its end, so it cannot be standard input: name the file")
	}
	return source{name: name, open: func(limits record.Limits) (*record.Reader, error) {
		lines, err := parquetlines.Open(name)
		if err != nil {
			return nil, err
		}
		return record.NewReader(lines, record.JSONLines, limits)
	}}, nil
}

// newBundled returns the bundled records, those that are held out or the others.
func newBundled(heldOut bool) source {
	s := allBundled()
	s.takes = func(row int) bool { return adult.IsHeldOut(row) == heldOut }
	return s
}

// allBundled returns all bundled records.
func allBundled() source {
	return source{
		name: "the bundled Adult records",
		open: func(limits record.Limits) (*record.Reader, error) {
			return record.NewReader(adult.Open(), record.CSV, limits)
		},
	}
}
