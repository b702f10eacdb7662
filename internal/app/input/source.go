package input

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/format/avro"
	"github.com/fairstream/fairstream/internal/parquetlines"
	"github.com/fairstream/fairstream/pkg/record"
)

// Source is something that holds records and is read from its beginning.
type Source struct {
	Name string
	Open func(record.Limits) (Rows, error)
	// Takes says which rows belong to the source, counted from 0; nil takes all.
	Takes  func(row int) bool
	memory memory // set if the rows are kept in memory, and read in a random order
}

// memory is what a pass asks of rows that are kept in memory.
type memory interface {
	place(n int) place               // where the n-th row that is read begins
	rejections() []*record.Rejection // of rows that cannot be told apart
}

// Rows are the rows of a source, one after the other, as record.Reader has them.
type Rows interface {
	Next() error
	Raw() []byte
	AppendJSON(dst []byte) []byte
	Decode(*record.Decoder, *record.Record) error
	Header() *record.Header
	Line() int64
	Progress() (read, total int64)
	Close() error
}

// place is where a row begins: a line, and the file, if the source has several.
type place struct {
	file string
	line int64
}

func (p place) of(rejection *record.Rejection) { rejection.File, rejection.Line = p.file, p.line }

// InMemory says whether the source keeps its rows in memory, so that even standard input can be read again.
func (s Source) InMemory() bool { return s.memory != nil }

// Names of inputs that are not files.
const (
	Bundled       = "adult" // the bundled records
	StandardInput = "-"
)

// FormatUsage explains --format.
const FormatUsage = "what the input is, whatever its name: csv, jsonl, csv.gz, jsonl.gz, parquet or avro (default by extension)"

// NewSource returns the source that an --input or --holdout names. Without a format files tell theirs by their
// extension; standard input needs one.
func NewSource(name, format string, stdin io.Reader) (Source, error) {
	if name == Bundled {
		return AllBundled(), nil
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return Source{}, fmt.Errorf("%s is a directory: name a file of records", name)
	case err != nil && (strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")):
		return Source{}, errors.New("an address on the web cannot be read: download the file first, as with `curl -LO ADDRESS`")
	}
	if format == parquetFormat || format == "" && strings.HasSuffix(strings.ToLower(name), "."+parquetFormat) {
		return newParquet(name)
	}
	if format == avroFormat || format == "" && strings.HasSuffix(strings.ToLower(name), "."+avroFormat) {
		return newAvro(name, stdin), nil
	}
	if name == StandardInput {
		of, gzipped, err := record.FormatOf("." + format)
		if err != nil {
			return Source{}, fmt.Errorf("--format %q: standard input needs csv, jsonl, csv.gz, jsonl.gz or avro", format)
		}
		return Source{Name: "standard input", Open: func(limits record.Limits) (Rows, error) {
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
			return Source{}, fmt.Errorf("--format %q is unknown: use csv, jsonl, csv.gz, jsonl.gz, parquet or avro", format)
		}
		gzipped = gzipped || strings.HasSuffix(strings.ToLower(name), ".gz")
	}
	if err != nil {
		return Source{}, fmt.Errorf("%w, or .parquet or .avro, or give --format", err)
	}
	return Source{Name: name, Open: func(limits record.Limits) (Rows, error) {
		return record.OpenAs(name, of, gzipped, limits)
	}}, nil
}

// parquetFormat is the format and the extension of Parquet files.
const parquetFormat = "parquet"

// newParquet returns a Parquet file, whose rows are read as JSON lines.
func newParquet(name string) (Source, error) {
	if name == StandardInput {
		return Source{}, errors.New("--format parquet: a Parquet file is read from its end, so it cannot be standard input: name the file")
	}
	return Source{Name: name, Open: func(limits record.Limits) (Rows, error) {
		lines, err := parquetlines.Open(name)
		if err != nil {
			return nil, err
		}
		return record.NewReader(lines, record.JSONLines, limits)
	}}, nil
}

// avroFormat is the format and the extension of Avro container files.
const avroFormat = "avro"

// newAvro returns an Avro container file, whose records are read as JSON lines.
func newAvro(name string, stdin io.Reader) Source {
	if name == StandardInput {
		return Source{Name: "standard input", Open: func(limits record.Limits) (Rows, error) {
			lines, err := avro.NewLines(stdin)
			if err != nil {
				return nil, fmt.Errorf("standard input %w", err)
			}
			return record.NewReader(lines, record.JSONLines, limits)
		}}
	}
	return Source{Name: name, Open: func(limits record.Limits) (Rows, error) {
		lines, err := avro.OpenFile(name)
		if err != nil {
			return nil, err
		}
		return record.NewReader(lines, record.JSONLines, limits)
	}}
}

// Split divides a source into two: so large a share of its rows, spread evenly over it, is held out, and the other rows are
// learnt from. Rows count whether they are good or not.
func Split(from Source, share float64) (learnt, held Source) {
	isHeld := func(row int) bool { return math.Floor(float64(row+1)*share) > math.Floor(float64(row)*share) }
	learnt, held = from, from
	learnt.Takes = func(row int) bool { return !isHeld(row) }
	held.Takes = isHeld
	return learnt, held
}

// PartOfBundled returns the bundled records, those that are held out or the others.
func PartOfBundled(heldOut bool) Source {
	s := AllBundled()
	s.Takes = func(row int) bool { return adult.IsHeldOut(row) == heldOut }
	return s
}

// AllBundled returns all bundled records.
func AllBundled() Source {
	return Source{
		Name: "the bundled Adult records",
		Open: func(limits record.Limits) (Rows, error) {
			return record.NewReader(adult.Open(), record.CSV, limits)
		},
	}
}
