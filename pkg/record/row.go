package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math/bits"
)

// row splits the CSV row (RFC 4180) at the front of a stream into cells, and owns the memory for
// it. Rows without a quote, which are most, are split here; the others by encoding/csv.
type row struct {
	text  []byte   // the row, line end included
	lines int      // in text
	first int      // length of the first of them, in bytes
	cells [][]byte // point into text, or into copied
	ascii bool     // text is known to be all below 128

	quoted *csv.Reader // reads the row from this row, line by line
	in     *lines
	given  int   // bytes of text that quoted has taken
	ended  error // why there was no further line for quoted
	copied []byte
}

// read splits the row at the front of in, whose first line has so many bytes. An error that is not of the stream is a *Rejection;
// first then tells how much to pass over.
func (r *row) read(in *lines, first int) error {
	r.first, r.lines = first, 1
	r.text = in.window(first)
	if bytes.IndexByte(r.text, '"') < 0 {
		r.splitPlain()
		return nil
	}
	return r.splitQuoted(in)
}

// splitPlain splits a row without quotes. Cells are short: their commas are found 64 bytes at a time, so that
// the loop over them ends rarely enough for processors to foresee.
func (r *row) splitPlain() {
	cells, text := r.cells[:0], chomp(r.text)
	start := 0
	r.ascii = true
	for i := 0; i < len(text); i += 64 {
		commas, ascii := places(text[i:], ',')
		for ; commas != 0; commas &= commas - 1 {
			comma := i + bits.TrailingZeros64(commas)
			cells = append(cells, text[start:comma])
			start = comma + 1
		}
		r.ascii = r.ascii && ascii
	}
	r.cells = append(cells, text[start:])
}

// splitQuoted splits any row. A line end within quotes is \n in the cell, whatever it is in the file.
func (r *row) splitQuoted(in *lines) error {
	if r.quoted == nil {
		r.quoted = csv.NewReader(r)
		r.quoted.ReuseRecord = true
		r.quoted.FieldsPerRecord = -1 // the header says how many
	}
	r.in, r.given, r.ended, r.ascii = in, 0, nil, false
	record, err := r.quoted.Read()
	if err != nil {
		return r.malformed(err)
	}
	size := 0
	for _, cell := range record {
		size += len(cell)
	}
	if cap(r.copied) < size {
		r.copied = make([]byte, 0, 2*size)
	}
	r.cells, r.copied = r.cells[:0], r.copied[:0]
	for _, cell := range record {
		start := len(r.copied)
		r.copied = append(r.copied, cell...)
		r.cells = append(r.cells, r.copied[start:len(r.copied):len(r.copied)])
	}
	return nil
}

// Read gives quoted the row, at most one line a call: it asks for a further line only while a quoted cell goes on,
// so nothing is read ahead, and the window bounds how much is held.
func (r *row) Read(p []byte) (int, error) {
	if r.given == len(r.text) {
		n, err := r.in.line(r.given)
		if err != nil {
			r.text = r.in.window(r.given) // the window may have moved
			r.ended = err
			return 0, err
		}
		r.text = r.in.window(r.given + n)
		r.lines++
	}
	n := copy(p, r.text[r.given:])
	r.given += n
	return n, nil
}

// malformed says in our words why quoted gave up, unless the stream did.
func (r *row) malformed(err error) error {
	parse, _ := errors.AsType[*csv.ParseError](err)
	switch {
	case r.ended == errLongWindow, parse != nil && r.unclosed(parse):
		return malformedCSV(-1, "a quoted cell is not closed")
	case parse == nil:
		return err
	}
	offset := -1 // of a further line of the row it would mean nothing
	if parse.Line == parse.StartLine {
		offset = parse.Column - 1
	}
	if parse.Err == csv.ErrBareQuote {
		return malformedCSV(offset, "a quote inside a cell: quote the whole cell and double the quote")
	}
	return malformedCSV(offset, "a closing quote must be followed by a comma or the end of the line")
}

// unclosed tells a quote that the file's end leaves open from one in the wrong place, which encoding/csv reports alike.
func (r *row) unclosed(parse *csv.ParseError) bool {
	last := r.text[bytes.LastIndexByte(r.text, '\n')+1:]
	at := parse.Column - 1
	return parse.Err == csv.ErrQuote && r.ended == io.EOF && !(at < len(last) && last[at] == '"')
}

func malformedCSV(offset int, detail string) error {
	return &Rejection{Reason: MalformedCSV, Offset: offset, Detail: detail}
}

// isRejection says whether err is about a row, not about the stream.
func isRejection(err error) bool {
	_, ok := errors.AsType[*Rejection](err)
	return ok
}
