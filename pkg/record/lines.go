package record

import (
	"bytes"
	"errors"
	"io"
)

// lines is a window onto a stream of lines that can be widened line by line before it is moved
// on: a CSV row is known to end only once it has ended. Its memory is bounded by the longest
// window.
type lines struct {
	source     io.Reader
	buffer     []byte
	start, end int   // the unread part of buffer
	longest    int   // window, in bytes
	number     int64 // of the line at start, from 1
	offset     int64 // of the byte at start
	err        error // of source, once it has one; io.EOF included
}

var errLongWindow = errors.New("record: window too long")

const bufferBytes = 256 << 10

func newLines(source io.Reader, longest int) *lines {
	return &lines{source: source, buffer: make([]byte, bufferBytes), longest: longest, number: 1}
}

// line makes the line available that begins from bytes into the window, and returns its length,
// line end included. The error is errLongWindow, or that of the source when no line begins there.
func (l *lines) line(from int) (int, error) {
	searched := from
	for {
		if i := bytes.IndexByte(l.buffer[l.start+searched:l.end], '\n'); i >= 0 {
			searched += i + 1
			break
		}
		searched = l.end - l.start
		if searched > l.longest {
			break
		}
		if l.err == io.EOF && searched > from {
			break // the last line need not end
		}
		if l.err != nil {
			return 0, l.err
		}
		l.fill()
	}
	if searched > l.longest {
		return 0, errLongWindow
	}
	return searched - from, nil
}

// window returns the next n bytes, which line has made available. It is valid until line or
// advance is called. Its capacity goes on over what follows, which may be looked at.
func (l *lines) window(n int) []byte { return l.buffer[l.start : l.start+n] }

// advance moves on by n bytes, which are that many lines.
func (l *lines) advance(n, lines int) {
	l.start += n
	l.offset += int64(n)
	l.number += int64(lines)
}

// skip moves on to the next line without holding the present one.
func (l *lines) skip() error {
	for {
		if i := bytes.IndexByte(l.buffer[l.start:l.end], '\n'); i >= 0 {
			l.advance(i+1, 1)
			return nil
		}
		l.advance(l.end-l.start, 0)
		if l.err == io.EOF {
			return nil
		}
		if l.err != nil {
			return l.err
		}
		l.fill()
	}
}

// fill reads more bytes, making room for them first.
func (l *lines) fill() {
	if l.start > 0 {
		copy(l.buffer, l.buffer[l.start:l.end])
		l.start, l.end = 0, l.end-l.start
	}
	if l.end == len(l.buffer) {
		l.buffer = append(l.buffer, make([]byte, len(l.buffer))...)
	}
	for range 100 {
		var n int
		n, l.err = l.source.Read(l.buffer[l.end:])
		l.end += n
		if n > 0 || l.err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// chomp removes the line end, be it \n, \r\n or, at the end of a file, \r.
func chomp(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}
