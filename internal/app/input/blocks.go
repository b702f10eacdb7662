package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/fairstream/fairstream/internal/parquetlines"
	"github.com/fairstream/fairstream/pkg/record"
)

// Block is a part of a file that can be read by itself. The blocks of a file have all its rows, each once.
type Block struct {
	// From and To are the bytes of a file of text, or the row groups of a Parquet file; To is the first that is not in the block, -1 the end.
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// Row and Line are how many rows and lines of the file are before the block. The header of a CSV file counts as a line.
	Row  int64 `json:"row"`
	Line int64 `json:"line"`
	// Header is the first line of a CSV file, which a later block needs.
	Header []byte `json:"header,omitempty"`
}

// whole is the block of a file that has only one.
var whole = Block{To: -1}

// IsWhole says whether the block is all of its file.
func (b *Block) IsWhole() bool { return b.From == 0 && b.To < 0 }

// pieces is a file that can be read in blocks.
type pieces interface {
	// cut returns blocks of at least so many bytes, where the file allows that.
	cut(as record.Config, bytes int64) ([]Block, error)
	open(as record.Config, b Block) (Rows, error)
}

// text is a file of CSV or of JSON lines.
type text struct {
	name   string
	format record.Format
}

func (f text) cut(as record.Config, size int64) (blocks []Block, err error) {
	info, err := os.Stat(f.name)
	if err != nil {
		return nil, err
	}
	if info.Size() <= size || !info.Mode().IsRegular() {
		return []Block{whole}, nil
	}
	rows, err := record.OpenAs(f.name, f.format, false, as.Limits)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	header := f.header(rows)
	blocks = []Block{{To: -1}}
	for row := int64(0); ; row++ {
		switch err := rows.Skip(); {
		case err == io.EOF:
			return blocks, nil
		case err != nil && !isRejection(err):
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if last := &blocks[len(blocks)-1]; rows.Offset()-last.From >= size {
			last.To = rows.Offset()
			blocks = append(blocks, Block{From: last.To, To: -1, Row: row, Line: rows.Line() - 1, Header: header})
		}
	}
}

// header returns what is before the first row of a CSV file.
func (f text) header(rows *record.Reader) []byte {
	if f.format != record.CSV {
		return nil
	}
	return bytes.Clone(append(rows.Raw(), '\n'))
}

func isRejection(err error) bool {
	_, is := errors.AsType[*record.Rejection](err)
	return is
}

func (f text) open(as record.Config, b Block) (Rows, error) {
	file, err := os.Open(f.name)
	if err != nil {
		return nil, err
	}
	head := b.Header
	if f.format == record.JSONLines {
		head = []byte("{}\n") // what only the beginning of a file may have is so no part of the block's first row
	}
	// What is behind the block is read, too, as far as a row is looked for that began in it.
	section := io.NewSectionReader(file, b.From, math.MaxInt64-b.From)
	rows, err := record.NewReader(io.MultiReader(bytes.NewReader(head), section), f.format, as.Limits)
	if err == nil && f.format == record.JSONLines {
		err = rows.Next()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.name, err), file.Close())
	}
	return &within{Reader: rows, file: file, to: b.To - b.From + int64(len(head)), ends: b.To >= 0, before: b.Line - int64(bytes.Count(head, []byte("\n")))}, nil
}

// within are the rows of a block.
type within struct {
	*record.Reader
	file   io.Closer
	to     int64 // where the first row begins that is not of the block, in bytes of the reader
	ends   bool
	before int64 // lines
}

func (w *within) Next() error {
	err := w.Reader.Next()
	if w.ends && w.Offset() >= w.to {
		return io.EOF
	}
	return w.at(err)
}

func (w *within) Decode(d *record.Decoder, r *record.Record) error {
	return w.at(w.Reader.Decode(d, r))
}

// at moves a rejection to its line in the file.
func (w *within) at(err error) error {
	if err == nil {
		return nil
	}
	if rejection, is := errors.AsType[*record.Rejection](err); is {
		rejection.Line += w.before
	}
	return err
}

func (w *within) Line() int64 { return w.Reader.Line() + w.before }

func (w *within) Close() error { return errors.Join(w.Reader.Close(), w.file.Close()) }

// groups is a Parquet file.
type groups struct{ name string }

func (f groups) cut(_ record.Config, size int64) ([]Block, error) {
	rows, bytes, err := parquetlines.Groups(f.name)
	if err != nil {
		return nil, err
	}
	blocks, read, before := []Block{{To: -1}}, int64(0), int64(0)
	for i := range rows {
		if last := &blocks[len(blocks)-1]; read >= size {
			last.To, read = int64(i), 0
			blocks = append(blocks, Block{From: last.To, To: -1, Row: before, Line: before})
		}
		read, before = read+bytes[i], before+rows[i]
	}
	return blocks, nil
}

func (f groups) open(as record.Config, b Block) (Rows, error) {
	lines, err := parquetlines.OpenGroups(f.name, int(b.From), int(b.To))
	if err != nil {
		return nil, err
	}
	rows, err := record.NewReader(lines, record.JSONLines, as.Limits)
	if err != nil {
		return nil, err
	}
	return &within{Reader: rows, file: io.NopCloser(nil), before: b.Line}, nil
}
