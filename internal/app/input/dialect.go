package input

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/fairstream/fairstream/pkg/record"
)

// A CSV file in another dialect than RFC 4180 is translated while it is read, so that everything behind it sees commas, decimal
// points and UTF-8.

func decoderOf(name string) encoding.Encoding {
	switch name {
	case record.UTF16:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case record.Latin1:
		return charmap.ISO8859_1
	case record.Windows1252:
		return charmap.Windows1252
	case record.Windows1250:
		return charmap.Windows1250
	}
	return nil
}

// translation is an io.Reader of the same rows as RFC 4180.
type translation struct {
	bounded *bounded
	rows    *csv.Reader
	text    bytes.Buffer
	out     *csv.Writer
	numbers numerals
	header  bool // the next row is the header
	err     error
}

func newTranslation(file io.Reader, d record.Dialect, most int) *translation {
	if e := decoderOf(d.Encoding); e != nil {
		file = transform.NewReader(file, e.NewDecoder())
	}
	buffered := bufio.NewReader(file)
	if mark, err := buffered.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		_, _ = buffered.Discard(3) // it was peeked at
	}
	t := &translation{bounded: &bounded{from: buffered, most: most}, numbers: newNumerals(d), header: true}
	t.rows = csv.NewReader(t.bounded)
	t.rows.FieldsPerRecord, t.rows.ReuseRecord = -1, true
	if d.Separator != "" {
		t.rows.Comma = rune(d.Separator[0])
	}
	t.out = csv.NewWriter(&t.text)
	return t
}

// Read implements io.Reader.
func (t *translation) Read(p []byte) (int, error) {
	for t.text.Len() == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.next()
	}
	return t.text.Read(p)
}

// next translates one row. One that is malformed becomes a row of a single cell, which the reader behind rejects alone.
func (t *translation) next() {
	t.bounded.since = 0
	cells, err := t.rows.Read()
	if malformed := (*csv.ParseError)(nil); errors.As(err, &malformed) && t.bounded.since <= t.bounded.most+readAhead {
		cells, err = []string{"malformed row"}, nil
	}
	if t.err = err; err != nil {
		return
	}
	if !t.header {
		for i, cell := range cells {
			cells[i] = t.numbers.plain(cell)
		}
	}
	t.header = false
	t.err = t.out.Write(cells)
	t.out.Flush()
}

// readAhead is more than encoding/csv takes beyond the row that it reads.
const readAhead = 16 << 10

// bounded fails once one row takes more than most bytes beyond what is read ahead, as after a quote that nobody closed.
type bounded struct {
	from        io.Reader
	most, since int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.since > b.most+readAhead {
		return 0, fmt.Errorf("a row has more than %d bytes: is a quote never closed?", b.most)
	}
	n, err := b.from.Read(p)
	b.since += n
	return n, err
}
