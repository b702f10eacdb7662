package record

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Format is how the rows of a file are written.
type Format string

// The formats.
const (
	CSV       Format = "csv"   // RFC 4180 with a header line
	JSONLines Format = "jsonl" // one JSON object a line
)

var formats = []Format{CSV, JSONLines}

// FormatOf tells from the extension of a path, .csv, .tsv or .jsonl, each with .gz or without, how it is written
// and whether it is compressed. Case does not matter.
func FormatOf(path string) (format Format, gzipped bool, err error) {
	name := strings.ToLower(path)
	name, gzipped = strings.CutSuffix(name, ".gz")
	for _, format := range formats {
		if strings.HasSuffix(name, "."+string(format)) {
			return format, gzipped, nil
		}
	}
	if strings.HasSuffix(name, ".tsv") { // with record.csv.separator: "\t", which init proposes
		return CSV, gzipped, nil
	}
	return "", false, fmt.Errorf("record: %s: cannot tell the format: name it .csv, .jsonl, .csv.gz or .jsonl.gz%s", path, formatHint(path))
}

// Open opens a file whose extension tells its format: see FormatOf and NewReader. The caller
// closes the Reader.
func Open(path string, limits Limits) (*Reader, error) {
	format, gzipped, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	return OpenAs(path, format, gzipped, limits)
}

// OpenAs is Open for a file that is of a format, and gzipped or not, whatever its name.
func OpenAs(path string, format Format, gzipped bool, limits Limits) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	r, err := openFile(file, format, gzipped, limits)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func openFile(file *os.File, format Format, gzipped bool, limits Limits) (*Reader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	count := &countingReader{source: file}
	var source io.Reader = count
	if gzipped {
		if source, err = gzip.NewReader(count); err != nil {
			return nil, fmt.Errorf("record: not a gzip file, so its name may not end in .gz: %w", err)
		}
	}
	r, err := newReader(source, count, format, limits)
	if err != nil {
		return nil, err
	}
	r.closer = file
	if info.Mode().IsRegular() {
		r.total = info.Size()
	}
	return r, nil
}
