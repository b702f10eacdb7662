package inspect

import (
	"bytes"
	"fmt"

	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// A text holds lines of a file if it has leastLines, and of those between the first and the last each has as many separators as stand between the
	// fields of a record, at least leastBetween.
	leastLines   = 3
	leastBetween = 3
	// Many such texts are no mistake: at most one in seldomLines records, those that it holds included.
	seldomLines = 50
)

// swallowed counts texts that hold lines of a file, as behind a quotation mark that is not closed. The zero value is ready.
type swallowed struct {
	texts, lines int
	fields       int // most of a record
	field        string
	record       int // of the first
}

// add takes in a record, the number-th one.
func (l *swallowed) add(whole *record.Record, number int) {
	l.fields = max(l.fields, len(whole.Features))
	for f := range whole.Features {
		if text := whole.Features[f].Text; bytes.IndexByte(text, '\n') >= 0 {
			if n := linesIn(text, l.fields-1); n > 0 {
				if l.texts == 0 {
					l.field, l.record = whole.Features[f].Name, number
				}
				l.texts++
				l.lines += n
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

// swallowed finds texts that hold lines of a file.
func (s *search) swallowed() {
	l := &s.lost
	if l.texts == 0 || seldomLines*l.texts > s.profile.Records()+l.lines {
		return
	}
	which := fmt.Sprintf("the text of %q in record %d holds", l.field, l.record)
	if l.texts > 1 {
		which = fmt.Sprintf("%d texts, the first of them that of %q in record %d, hold", l.texts, l.field, l.record)
	}
	s.add(false, "record", "%s %d lines that look like records: a quotation mark there is probably not closed, so these lines are lost. Close or remove it in the file", which, l.lines)
}
