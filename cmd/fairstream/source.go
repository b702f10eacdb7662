package main

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

// source is something that holds records and is read from its beginning.
type source struct {
	name string
	open func(record.Limits) (*record.Reader, error)
	// takes says which rows belong to the source, counted from 0; nil takes all.
	takes func(row int) bool
}

// Names of inputs that are not files.
const (
	bundled       = "adult" // the bundled records
	standardInput = "-"
)

// newSource returns the source that an --input or --holdout names. format is that of standard input;
// files tell theirs by their extension.
func newSource(name, format string, stdin io.Reader) (source, error) {
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
	if _, _, err := record.FormatOf(name); err != nil {
		return source{}, err
	}
	return source{name: name, open: func(limits record.Limits) (*record.Reader, error) {
		return record.Open(name, limits)
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
