package record

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
)

// row splits the CSV row (RFC 4180) at the front of a stream into cells, and owns the memory for
// it.
type row struct {
	text  []byte   // the row, line end included
	lines int      // in text
	first int      // length of the first of them, in bytes
	cells [][]byte // point into text, or into unescaped
	ascii bool     // text is known to be all below 128

	bounds    []bound
	unescaped []byte // cells whose doubled quotes had to be undone
}

// bound is a cell by its place in the row, because the window moves while a row grows.
type bound struct {
	start, end int
	doubled    bool // it holds doubled quotes
}

// read splits the row at the front of in. An error that is not of the stream is a *Rejection;
// first then tells how much to pass over.
func (r *row) read(in *lines) error {
	n, err := in.line(0)
	if err != nil {
		return err
	}
	r.first, r.lines = n, 1
	r.text = in.window(n)
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

// splitQuoted splits any row, widening the window while a quoted cell goes on.
func (r *row) splitQuoted(in *lines) error {
	r.ascii = false
	r.bounds = r.bounds[:0]
	for i := 0; ; i++ {
		var err error
		if i < len(r.text) && r.text[i] == '"' {
			i, err = r.quotedCell(in, i+1)
		} else {
			i, err = r.plainCell(i)
		}
		if err != nil {
			return err
		}
		if len(chomp(r.text[i:])) == 0 {
			break
		}
		if r.text[i] != ',' {
			return malformedCSV(i, "a closing quote must be followed by a comma or the end of the line")
		}
	}
	r.cells = r.cells[:0]
	r.unescaped = r.unescaped[:0]
	for _, b := range r.bounds {
		r.cells = append(r.cells, r.cell(b))
	}
	return nil
}

// quotedCell finds the end of the cell whose text begins at start, and returns the place after
// its closing quote.
func (r *row) quotedCell(in *lines, start int) (int, error) {
	b := bound{start: start}
	for i := start; ; {
		quote := bytes.IndexByte(r.text[i:], '"')
		if quote < 0 {
			i = len(r.text)
			n, err := in.line(i)
			if err == io.EOF || err == errLongWindow {
				return 0, malformedCSV(start-1, "the quote that opens here is not closed")
			}
			if err != nil {
				return 0, err
			}
			r.text = in.window(i + n)
			r.lines++
			continue
		}
		i += quote + 1
		if i == len(r.text) || r.text[i] != '"' {
			b.end = i - 1
			r.bounds = append(r.bounds, b)
			return i, nil
		}
		b.doubled = true
		i++
	}
}

// plainCell finds the end of the unquoted cell that begins at start.
func (r *row) plainCell(start int) (int, error) {
	text := chomp(r.text)
	end := start
	for ; end < len(text) && text[end] != ','; end++ {
		if text[end] == '"' {
			return 0, malformedCSV(end, "a quote inside a cell: quote the whole cell and double the quote")
		}
	}
	r.bounds = append(r.bounds, bound{start: start, end: end})
	return end, nil
}

// cell returns the text of a cell, with doubled quotes undone.
func (r *row) cell(b bound) []byte {
	text := r.text[b.start:b.end]
	if !b.doubled {
		return text
	}
	start := len(r.unescaped)
	for len(text) > 0 {
		quote := bytes.IndexByte(text, '"')
		if quote < 0 {
			break
		}
		r.unescaped = append(r.unescaped, text[:quote+1]...)
		text = text[quote+2:]
	}
	r.unescaped = append(r.unescaped, text...)
	return r.unescaped[start:len(r.unescaped):len(r.unescaped)]
}

func malformedCSV(offset int, detail string) error {
	return &Rejection{Reason: MalformedCSV, Offset: offset, Detail: detail}
}

// isRejection says whether err is about a row, not about the stream.
func isRejection(err error) bool {
	_, ok := errors.AsType[*Rejection](err)
	return ok
}
