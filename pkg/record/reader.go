package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"unicode/utf8"
)

// Reader walks over the rows of a CSV file (RFC 4180 with a header line) or of a file of JSON
// lines. Rows end in \n or \r\n; a UTF-8 byte order mark at the start and blank lines anywhere
// are passed over. Memory is bounded by the longest record.
//
// A bad row costs itself alone. A CSV row may span lines inside quotes, but when one that spans
// lines turns out malformed, or not as wide as the header, its first line is rejected and reading
// goes on at its second: a quote that nobody closed cannot swallow the rows after it.
//
//	for {
//		switch err := reader.Read(decoder, &rec).(type) {
//		case nil:                // learn from rec
//		case *record.Rejection:  // count it, go on
//		default:                 // io.EOF, or the file cannot be read further
//		}
//	}
type Reader struct {
	format Format
	lines  *lines
	count  *countingReader
	total  int64
	closer io.Closer // nil when the source is the caller's

	header *Header
	row    row
	raw    []byte
	line   int64
	offset int64
	used   extent // what Next is to pass over
}

// extent is a stretch of a file.
type extent struct{ bytes, lines int }

// NewReader reads rows from source; only Limits.RecordBytes is used of limits. A CSV file without
// a header line, or with one that NewHeader refuses, is an error. A source with a Len method, such
// as a bytes.Reader, tells by it how many bytes there are for Progress.
func NewReader(source io.Reader, format Format, limits Limits) (*Reader, error) {
	total := int64(-1)
	if sized, ok := source.(interface{ Len() int }); ok {
		total = int64(sized.Len())
	}
	count := &countingReader{source: source}
	r, err := newReader(count, count, format, limits)
	if err != nil {
		return nil, err
	}
	r.total = total
	return r, nil
}

// newReader reads rows from source, whose progress count tells.
func newReader(source io.Reader, count *countingReader, format Format, limits Limits) (*Reader, error) {
	limits.RecordBytes = cmp.Or(limits.RecordBytes, DefaultRecordBytes)
	const lineEnd = 2
	r := &Reader{format: format, lines: newLines(source, limits.RecordBytes+lineEnd), count: count, total: -1}
	if err := r.passByteOrderMark(); err != nil {
		return nil, err
	}
	switch format {
	case JSONLines:
		return r, arrayOfObjects(r.lines.buffer[r.lines.start:r.lines.end])
	case CSV:
		return r, r.readHeader()
	default:
		return nil, fmt.Errorf("record: format %q is unknown: use %s", format, joined(formats))
	}
}

func (r *Reader) passByteOrderMark() error {
	if _, err := r.lines.line(0); err != nil && err != io.EOF && err != errLongWindow {
		return fmt.Errorf("record: read: %w", err)
	}
	text := r.lines.buffer[r.lines.start:r.lines.end]
	if err := otherFormat(text, r.format); err != nil {
		return err
	}
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(text, mark) {
		r.lines.advance(len(mark), 0)
	}
	return nil
}

func (r *Reader) readHeader() error {
	err := r.nextRow()
	switch {
	case err == io.EOF:
		return errors.New("record: the file has no header line: the first line of a CSV file names its columns")
	case isRejection(err):
		return fmt.Errorf("record: header: %w", err)
	case err != nil:
		return err
	}
	if bytes.IndexByte(chomp(r.row.text), '\r') >= 0 && r.row.lines == 1 {
		return errors.New("record: header: " + cureReturns)
	}
	names := make([]string, len(r.row.cells))
	for i, cell := range r.row.cells {
		names[i] = string(cell)
	}
	r.header, err = NewHeader(names)
	return err
}

// Next moves to the next row. The error is io.EOF at the end, a *Rejection for a row that cannot
// be told apart, after which Next goes on, or that of the source.
func (r *Reader) Next() error {
	if r.format == CSV {
		return r.nextRow()
	}
	return r.nextLine()
}

func (r *Reader) nextLine() error {
	n, err := r.begin()
	if err != nil {
		return err
	}
	r.used = extent{n, 1}
	r.raw = chomp(r.lines.window(n))
	return nil
}

func (r *Reader) nextRow() error {
	first, err := r.begin()
	if err != nil {
		return err
	}
	err = r.row.read(r.lines, first)
	if err == nil && !r.row.ascii && !utf8.Valid(r.row.text) {
		err = notUTF8(invalidUTF8(r.row.text))
	}
	if err == nil && r.header != nil && len(r.row.cells) != len(r.header.names) {
		err = wrongFieldCount(len(r.row.cells), len(r.header.names))
	}
	if err != nil {
		r.used = extent{r.row.first, 1}
		if isRejection(err) {
			r.raw = chomp(r.lines.window(r.row.first))
			return r.atLine(err)
		}
		return unread(r.line, err)
	}
	r.used = extent{len(r.row.text), r.row.lines}
	r.raw = chomp(r.row.text)
	return nil
}

// Skip is Next for callers that need no more than Line and Offset, and several times as fast: rows without a quote are not told apart, so nothing is said
// of what is wrong within them.
func (r *Reader) Skip() error {
	n, err := r.begin()
	if err != nil {
		return err
	}
	if r.format == CSV && bytes.IndexByte(r.lines.window(n), '"') >= 0 {
		return r.nextRow()
	}
	r.used = extent{n, 1}
	return nil
}

// begin passes over the present row and blank lines, and returns the length of the line that
// follows them.
func (r *Reader) begin() (int, error) {
	r.raw = nil
	for {
		r.lines.advance(r.used.bytes, r.used.lines)
		r.used = extent{}
		r.line, r.offset = r.lines.number, r.lines.offset
		n, err := r.lines.line(0)
		switch {
		case err == io.EOF:
			return 0, io.EOF
		case err == errLongWindow:
			if err := r.lines.skip(); err != nil {
				return 0, unread(r.line, err)
			}
			return 0, r.atLine(&Rejection{Reason: TooLong, Offset: r.lines.longest, Detail: "a line longer than record.limits.record_bytes"})
		case err != nil:
			return 0, unread(r.line, err)
		case len(bytes.TrimSpace(r.lines.window(n))) > 0:
			return n, nil
		}
		r.used = extent{n, 1}
	}
}

// Decode decodes the present row into dst with d. The texts of dst are valid until Next.
func (r *Reader) Decode(d *Decoder, dst *Record) error {
	if r.format == CSV {
		return r.atLine(d.decodeRow(dst, r.header, r.row.cells, len(r.raw)))
	}
	return r.atLine(d.DecodeJSON(dst, r.raw))
}

// Read is Next, then Decode.
func (r *Reader) Read(d *Decoder, dst *Record) error {
	if err := r.Next(); err != nil {
		return err
	}
	return r.Decode(d, dst)
}

func (r *Reader) atLine(err error) error {
	if rejection, ok := err.(*Rejection); ok {
		rejection.Line = r.line
	}
	return err
}

// Raw returns the present row without its line end, also of a row just rejected; nil when it was
// too long. It is valid until Next.
func (r *Reader) Raw() []byte { return r.raw[:len(r.raw):len(r.raw)] }

// Line returns the line on which the present row begins, from 1.
func (r *Reader) Line() int64 { return r.line }

// Offset returns how many bytes of the source, unpacked, are before the present row; at the end, how many there are.
func (r *Reader) Offset() int64 { return r.offset }

// Header returns the header of a CSV file, nil for JSON lines.
func (r *Reader) Header() *Header { return r.header }

// AppendJSON appends the present row to dst as one JSON record: a line as it is, a CSV row as
// Header.AppendJSON renders it. The row is one that Next did not reject.
func (r *Reader) AppendJSON(dst []byte) []byte {
	if r.format == CSV {
		return r.header.AppendJSON(dst, r.row.cells)
	}
	return append(dst, r.raw...)
}

// Progress returns how many bytes of the source were read, compressed ones if it is, and how many
// there are, -1 when that is not known. It may be called from any goroutine.
func (r *Reader) Progress() (read, total int64) { return r.count.n.Load(), r.total }

// Close closes the file that Open opened.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// countingReader counts what was read through it.
type countingReader struct {
	source io.Reader
	n      atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.source.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// unread says after which line reading failed.
func unread(line int64, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("record: the file ends in the middle of its compressed data, after line %d: it was cut off, so get it again: %w", line, err)
	}
	return fmt.Errorf("record: read after line %d: %w", line, err)
}
