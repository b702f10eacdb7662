package parquetlines

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds on what a file may make a process allocate.
const (
	mostColumns    = 65536
	mostChunkBytes = 1 << 30 // of one column in one row group, uncompressed
	mostFooter     = 64 << 20
	rowsAtOnce     = 64
)

// Lines are the rows of a Parquet file as lines of JSON: an io.Reader. It closes the file at its end.
type Lines struct {
	file   io.Closer
	rows   *parquet.GenericReader[any]
	schema *parquet.Schema
	groups []format.RowGroup
	batch  []any
	text   []byte // read, and not yet handed on
	from   int
	ended  error
}

// Open opens a file. The error says what is wrong with it.
func Open(path string) (*Lines, error) { return OpenGroups(path, 0, -1) }

// OpenGroups opens the row groups of a file from one of them to another, which is not included; -1 is the end.
func OpenGroups(path string, from, to int) (*Lines, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l, err := open(file, from, to)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// Groups returns how many rows and bytes, compressed, each row group of a file has.
func Groups(path string) (rows, bytes []int64, err error) {
	l, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	for i := range l.groups {
		rows, bytes = append(rows, l.groups[i].NumRows), append(bytes, l.groups[i].TotalCompressedSize)
	}
	return rows, bytes, l.file.Close()
}

func open(file *os.File, from, to int) (*Lines, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file: Parquet is read from its end")
	}
	l, err := newLines(file, info.Size(), from, to)
	if err == nil {
		l.file = file
	}
	return l, err
}

// newLines reads what a file of so many bytes says of itself, and begins with the first of some row groups.
func newLines(bytes io.ReaderAt, size int64, from, to int) (l *Lines, err error) {
	defer damaged(&err)
	if err := checkFooter(bytes, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(bytes, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, fmt.Errorf("is not a Parquet file that can be read: %w", err)
	}
	if n := len(file.Schema().Columns()); n > mostColumns {
		return nil, fmt.Errorf("has %d columns, and %d are the most", n, mostColumns)
	}
	for _, group := range file.Metadata().RowGroups {
		for i := range group.Columns {
			if n := group.Columns[i].MetaData.TotalUncompressedSize; n < 0 || n > mostChunkBytes {
				return nil, fmt.Errorf("a column has %d bytes in one row group, and %d are the most: write smaller row groups", n, mostChunkBytes)
			}
		}
	}
	l = &Lines{schema: file.Schema(), batch: make([]any, rowsAtOnce), groups: file.Metadata().RowGroups}
	if from == 0 && to < 0 {
		l.rows = parquet.NewGenericReader[any](file)
		return l, nil
	}
	if to < 0 {
		to = len(l.groups)
	}
	if from < 0 || from >= to || to > len(l.groups) {
		return nil, fmt.Errorf("has %d row groups, and those from %d to %d are wanted: it was changed", len(l.groups), from, to)
	}
	l.rows = parquet.NewGenericRowGroupReader[any](parquet.MultiRowGroup(file.RowGroups()[from:to]...), file.Schema())
	return l, nil
}

// checkFooter looks at the end of the file, which says how long its description is.
func checkFooter(from io.ReaderAt, size int64) error {
	const tail = 8 // the length of the footer, and PAR1
	var end [tail]byte
	if size < 12 {
		return errors.New("is not a Parquet file: it has fewer than 12 bytes")
	}
	if _, err := from.ReadAt(end[:], size-tail); err != nil {
		return err
	}
	length := int64(end[0]) | int64(end[1])<<8 | int64(end[2])<<16 | int64(end[3])<<24
	switch {
	case string(end[4:]) == "PARE":
		return errors.New("is an encrypted Parquet file: decrypt it first")
	case string(end[4:]) != "PAR1":
		return errors.New("is not a Parquet file, or not whole: it does not end in PAR1")
	case length > min(mostFooter, size-tail):
		return fmt.Errorf("is damaged, or too wide: its footer has %d bytes", length)
	}
	return nil
}

// damaged turns a panic of the library over a damaged file into an error.
func damaged(err *error) {
	if problem := recover(); problem != nil {
		*err = fmt.Errorf("is a damaged Parquet file: %v", problem)
	}
}

// Read reads the next bytes of the lines.
func (l *Lines) Read(p []byte) (int, error) {
	for l.from == len(l.text) {
		if l.ended != nil {
			return 0, l.ended
		}
		l.text, l.from = l.text[:0], 0
		if err := l.fill(); err != nil {
			l.ended = err
			if l.file != nil {
				l.ended = errors.Join(l.file.Close(), err)
				if err == io.EOF {
					l.ended = err
				}
				l.file = nil
			}
		}
	}
	n := copy(p, l.text[l.from:])
	l.from += n
	return n, nil
}

// fill reads rows.
func (l *Lines) fill() (err error) {
	defer damaged(&err)
	clear(l.batch)
	n, err := l.rows.Read(l.batch)
	for _, row := range l.batch[:n] {
		l.text = append(appendGroup(l.text, l.schema.Fields(), row), '\n')
	}
	if err == nil && n == 0 {
		err = io.ErrNoProgress
	}
	return err
}
