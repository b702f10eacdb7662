package seen

import (
	"bytes"

	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// A text holds lines of a file if it has leastLines, and of those between the first and the last each has as many separators as stand between the
	// fields of a record, at least leastBetween.
	leastLines   = 3
	leastBetween = 3
)

// Swallowed counts texts that hold lines of a file, as behind a quotation mark that is not closed. The zero value is ready.
type Swallowed struct {
	Texts, Lines int
	Field        string // of the first
	Record       int    // of the first

	fields int // most of a record
}

// add takes in a record, the number-th one.
func (l *Swallowed) add(whole *record.Record, number int) {
	l.fields = max(l.fields, len(whole.Features))
	for f := range whole.Features {
		if text := whole.Features[f].Text; bytes.IndexByte(text, '\n') >= 0 {
			if n := linesIn(text, l.fields-1); n > 0 {
				if l.Texts == 0 {
					l.Field, l.Record = whole.Features[f].Name, number
				}
				l.Texts++
				l.Lines += n
			}
		}
	}
}

// linesIn is how many whole records a text holds, 0 if it does not look like lines of a file.
func linesIn(text []byte, separators int) int {
	lines := bytes.Split(text, []byte("\n"))
	if len(lines) < leastLines || separators < leastBetween {
		return 0
	}
	for _, separator := range []byte(",;\t|") {
		is := true
		for _, line := range lines[1 : len(lines)-1] {
			is = is && bytes.Count(line, []byte{separator}) >= separators
		}
		if is {
			return len(lines) - 1
		}
	}
	return 0
}
