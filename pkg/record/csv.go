package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-faster/jx"
)

// Header is the first line of a CSV file: the field name of each column.
type Header struct {
	names []string
}

// NewHeader checks the names of a CSV file's columns: none may be empty, repeated, longer than
// MaxNameBytes or other than UTF-8. The error shows no name, which is a person's value if the line is no header.
func NewHeader(names []string) (*Header, error) {
	if len(names) == 1 {
		if words, mark := separator(names[0]); words != "" {
			return nil, fmt.Errorf("record: header: there is one column: "+cureSeparator, words, mark)
		}
	}
	if len(names) == 1 && strings.Contains(names[0], ",") {
		return nil, errors.New("record: header: there is one column: " + cureQuoted)
	}
	unnamed := 0
	for _, name := range names {
		if name == "" {
			unnamed++
		}
	}
	if len(names) > 2 && 2*unnamed >= len(names) {
		return nil, fmt.Errorf("record: header: %d of %d columns have no name: "+cureTitle, unnamed, len(names))
	}
	seen := make(map[string]int, len(names))
	for i, name := range names {
		column := i + 1
		switch {
		case !utf8.ValidString(name):
			return nil, fmt.Errorf("record: header: the name of column %d is not UTF-8; %s", column, cureLatin1)
		case name == "":
			return nil, fmt.Errorf("record: header: column %d has no name: %s", column, cureUnnamed)
		case len(name) > MaxNameBytes:
			return nil, fmt.Errorf("record: header: the name of column %d has more than %d bytes: shorten it", column, MaxNameBytes)
		case seen[name] > 0:
			return nil, fmt.Errorf("record: header: columns %d and %d have the same name: rename one, or give the file a header line", seen[name], column)
		}
		seen[name] = column
	}
	return &Header{names: names}, nil
}

// Names returns the field names in the order of the columns.
func (h *Header) Names() []string { return h.names }

// DecodeCSV fills dst from the cells of one CSV row under header. The texts of dst are the
// cells. The error is a *Rejection, and dst is then not to be used.
func (d *Decoder) DecodeCSV(dst *Record, header *Header, cells [][]byte) error {
	size := max(len(cells)-1, 0)
	for _, cell := range cells {
		if !utf8.Valid(cell) {
			return notUTF8(-1)
		}
		size += len(cell)
	}
	return d.decodeRow(dst, header, cells, size)
}

// decodeRow is DecodeCSV for cells known to be UTF-8, from a row of size bytes.
func (d *Decoder) decodeRow(dst *Record, header *Header, cells [][]byte, size int) error {
	if len(cells) != len(header.names) {
		return wrongFieldCount(len(cells), len(header.names))
	}
	if err := d.begin(dst, size); err != nil {
		return err
	}
	if header != d.header {
		d.bind(header)
	}
	if d.rows.layout != 0 {
		return d.decodeCells(cells)
	}
	for i, c := range d.columns {
		if c.ignored {
			continue
		}
		if err := d.assign(c, cells[i], false, -1); err != nil {
			return err
		}
	}
	err := d.finish()
	if err == nil && len(d.schema.config.Times) == 0 { // parts of times are features in another order
		d.rows.layout = dst.Layout
	}
	return err
}

// rows are what all rows under a header have in common.
type rows struct {
	layout   uint64    // 0 before one of them was decoded
	features []*column // those of the columns that are features
}

// decodeCells decodes a row as decodeRow does, without what is known from one before.
func (d *Decoder) decodeCells(cells [][]byte) error {
	r := d.record
	features, hashes := r.room(d.rows.layout, d.rows.features)
	n := 0
	for i, c := range d.columns {
		if c.ignored {
			continue
		}
		text, hash, missing := cells[i], uint64(0), d.schema.missing.has(cells[i])
		if missing {
			text = nil
		}
		if c.feature {
			if !missing {
				hash = Hash(text)
			}
			f := &features[n]
			f.Missing, f.Text, f.Hash = missing, text, hash
			hashes[n] = hash
			n++
		}
		if !c.plain {
			if err := d.assignRest(c, text, missing, -1); err != nil {
				return err
			}
		}
	}
	r.Features, r.hashes, r.Layout = r.Features[:n], r.hashes[:n], d.rows.layout
	return d.finish()
}

func (d *Decoder) bind(header *Header) {
	d.header = header
	d.columns, d.rows = d.columns[:0], rows{features: d.rows.features[:0]}
	for _, name := range header.names {
		c := d.tree.column(name)
		d.columns = append(d.columns, c)
		if c.feature {
			d.rows.features = append(d.rows.features, c)
		}
	}
}

func wrongFieldCount(got, want int) error {
	detail := fmt.Sprintf("%d cells under a header of %d", got, want)
	if want == 1 { // blank lines are no rows, so there are more
		detail += ": the header has to be the first line, without a title or a comment before it"
	}
	return &Rejection{Reason: WrongFieldCount, Offset: -1, Detail: detail}
}

// AppendJSON appends to dst the JSON object of strings that stands for a CSV row, one member a
// cell: the record that DecodeJSON reads from it is the one DecodeCSV reads from the row. cells
// are as many as header's names.
func (h *Header) AppendJSON(dst []byte, cells [][]byte) []byte {
	if len(cells) != len(h.names) {
		panic("record: AppendJSON: the row is not as wide as the header")
	}
	w := jx.Writer{Buf: append(dst, '{')}
	for i, name := range h.names {
		if i > 0 {
			w.Comma()
		}
		w.FieldStart(name)
		w.ByteStr(cells[i])
	}
	return append(w.Buf, '}')
}
