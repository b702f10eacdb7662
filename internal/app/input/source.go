package input

import (
	"cmp"
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
	Open func(record.Config) (Rows, error)
	// Takes says which rows belong to the source, counted from 0; nil takes all.
	Takes  func(row int) bool
	raw    func() (io.ReadCloser, error) // the bytes of a CSV file that may be in a dialect, else nil
	pieces pieces                        // how the file is read in blocks; nil if it has only one
	memory memory                        // set if the rows are kept in memory, and read in a random order
}

// memory is what a pass asks of rows that are kept in memory.
type memory interface {
	place(n int) place               // where the n-th row that is read begins
	rejections() []*record.Rejection // of rows that cannot be told apart
}

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
		return Source{Name: "standard input", Open: func(as record.Config) (Rows, error) {
			if gzipped {
				unpacked, err := gzip.NewReader(stdin)
				if err != nil {
					return nil, fmt.Errorf("standard input is not gzip: %w", err)
				}
				return record.NewReader(unpacked, of, as.Limits)
			}
			return record.NewReader(stdin, of, as.Limits)
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
	var inBlocks pieces
	if !gzipped {
		inBlocks = text{name, of}
	}
	if of == record.CSV {
		return Source{Name: name, pieces: inBlocks, raw: func() (io.ReadCloser, error) { return openRaw(name, gzipped) }, Open: func(as record.Config) (Rows, error) {
			return openCSV(name, gzipped, as)
		}}, nil
	}
	return Source{Name: name, pieces: inBlocks, Open: func(as record.Config) (Rows, error) {
		return record.OpenAs(name, of, gzipped, as.Limits)
	}}, nil
}

// openCSV opens a CSV file in its dialect.
func openCSV(name string, gzipped bool, as record.Config) (Rows, error) {
	if as.CSV.IsPlain() {
		return record.OpenAs(name, record.CSV, gzipped, as.Limits)
	}
	file, err := openRaw(name, gzipped)
	if err != nil {
		return nil, err
	}
	most := cmp.Or(as.Limits.RecordBytes, record.DefaultRecordBytes)
	rows, err := record.NewReader(newTranslation(file, as.CSV, most), record.CSV, as.Limits)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s, read by record.csv: %w", name, err), file.Close())
	}
	return &translated{Reader: rows, file: file}, nil
}

// translated closes the file, too.
type translated struct {
	*record.Reader
	file io.Closer
}

func (t *translated) Close() error { return errors.Join(t.Reader.Close(), t.file.Close()) }

// openRaw opens a file as bytes, unpacked.
func openRaw(name string, gzipped bool) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil || !gzipped {
		return file, err
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s is not gzip: %w", name, err), file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{unpacked, file}, nil
}

// parquetFormat is the format and the extension of Parquet files.
const parquetFormat = "parquet"

// newParquet returns a Parquet file, whose rows are read as JSON lines.
func newParquet(name string) (Source, error) {
	if name == StandardInput {
		return Source{}, errors.New("--format parquet: a Parquet file is read from its end, so it cannot be standard input: name the file")
	}
	return Source{Name: name, pieces: groups{name}, Open: func(as record.Config) (Rows, error) {
		lines, err := parquetlines.Open(name)
		if err != nil {
			return nil, err
		}
		return record.NewReader(lines, record.JSONLines, as.Limits)
	}}, nil
}

// avroFormat is the format and the extension of Avro container files.
const avroFormat = "avro"

// newAvro returns an Avro container file, whose records are read as JSON lines.
func newAvro(name string, stdin io.Reader) Source {
	if name == StandardInput {
		return Source{Name: "standard input", Open: func(as record.Config) (Rows, error) {
			lines, err := avro.NewLines(stdin)
			if err != nil {
				return nil, fmt.Errorf("standard input %w", err)
			}
			return record.NewReader(lines, record.JSONLines, as.Limits)
		}}
	}
	return Source{Name: name, Open: func(as record.Config) (Rows, error) {
		lines, err := avro.OpenFile(name)
		if err != nil {
			return nil, err
		}
		return record.NewReader(lines, record.JSONLines, as.Limits)
	}}
}

// Blocks cuts a file into blocks of about so many bytes, where its format allows that: files of text that is neither packed nor in another
// dialect, and Parquet files with several row groups. To find where rows begin, a file of text is read once. Any other file is one block.
func (s Source) Blocks(as record.Config, bytes int64) ([]Block, error) {
	if s.pieces == nil || s.Takes != nil || as.Counts() || !as.CSV.IsPlain() {
		return []Block{whole}, nil // where records without a label count, a file without any label is an error
	}
	return s.pieces.cut(as, max(1, bytes))
}

// Block is a source of the rows of a block, which Blocks of the same file returned.
func (s Source) Block(b Block) Source {
	if b.IsWhole() {
		return s
	}
	return Source{Name: s.Name, Open: func(as record.Config) (Rows, error) {
		if s.pieces == nil {
			return nil, fmt.Errorf("%s is not read in blocks", s.Name)
		}
		return s.pieces.open(as, b)
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
		Open: func(as record.Config) (Rows, error) {
			return record.NewReader(adult.Open(), record.CSV, as.Limits)
		},
	}
}
