package input

import "github.com/fairstream/fairstream/pkg/record"

// Rows are the rows of a source, one after the other, as record.Reader has them.
type Rows interface {
	Next() error
	Raw() []byte
	AppendJSON(dst []byte) []byte
	Decode(*record.Decoder, *record.Record) error
	Header() *record.Header
	Line() int64
	Progress() (read, total int64)
	Close() error
}

// place is where a row begins: a line, and the file, if the source has several.
type place struct {
	file string
	line int64
}

func (p place) of(rejection *record.Rejection) { rejection.File, rejection.Line = p.file, p.line }
