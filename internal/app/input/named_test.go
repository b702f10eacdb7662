package input

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// packed is a text as gzip writes it.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// count is how many rows a source has.
func count(s Source) (rows int, err error) {
	r, err := s.Open(record.Config{})
	if err != nil {
		return 0, err
	}
	for r.Next() == nil {
		rows++
	}
	return rows, r.Close()
}

// TestInputsByTheirNames: a format is that of the name, or the one that is given; standard input needs one, and what is no input is an error that says why.
func TestInputsByTheirNames(t *testing.T) {
	const table, lines = "a,b\n1,2\n3,4\n", `{"a":1}` + "\n" + `{"a":2}` + "\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"t.csv": table, "l.jsonl": lines, "t.csv.gz": packed(t, table), "L.JSONL.GZ": packed(t, lines), "t.txt": table, "l.gz": packed(t, lines), "no.csv.gz": table, "no.parquet": "PAR1", "no.avro": "Obj"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, format, stdin string
		says                string // of the error; empty: there are two rows
	}{
		{"t.csv", "", "", ""}, {"l.jsonl", "", "", ""}, {"t.csv.gz", "", "", ""}, {"L.JSONL.GZ", "", "", ""}, {"t.txt", "csv", "", ""}, {"l.gz", "jsonl", "", ""}, {"l.gz", "jsonl.gz", "", ""},
		{"t.txt", "", "", "or .parquet or .avro, or give --format"}, {"t.txt", "xml", "", `--format "xml" is unknown`}, {"", "", "", "is a directory"}, {"no.csv.gz", "", "", "gzip"}, {"no.csv", "", "", "no such file"}, {"no.parquet", "", "", "no.parquet"}, {"no.avro", "", "", "no.avro"},
		{"t.csv", "parquet", "", "t.csv"}, {"t.csv", "avro", "", "t.csv"},
		{"-", "csv", table, ""}, {"-", "jsonl", lines, ""}, {"-", "csv.gz", packed(t, table), ""}, {"-", "jsonl.gz", packed(t, lines), ""}, {"-", "csv.gz", table, "standard input is not gzip"}, {"-", "", table, "standard input needs csv"}, {"-", "xml", table, "standard input needs csv"},
		{"-", "parquet", table, "cannot be standard input"}, {"-", "avro", table, "standard input "}, {"https://example.org/a.csv", "", "", "cannot be read: download the file first"}, {"http://example.org/a.csv", "csv", "", "download the file first"},
	} {
		name := c.name
		if name != StandardInput && !strings.Contains(name, "://") {
			name = filepath.Join(dir, name)
		}
		s, err := NewSource(name, c.format, strings.NewReader(c.stdin))
		rows := 0
		if err == nil {
			rows, err = count(s)
		}
		if (err == nil) != (c.says == "") || err == nil && rows != 2 || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s as %q: %d rows, %v, want %q", c.name, c.format, rows, err, c.says)
		}
	}
	if s, err := NewSource(Bundled, "", nil); err != nil || s.Name != "the bundled Adult records" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestOneSourceAfterTheOther are one after the other; a second one that cannot be read, or has other columns, ends them.
func TestOneSourceAfterTheOther(t *testing.T) {
	dir := t.TempDir()
	source := func(name, text string) Source {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(path, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := source("a.csv", "a,b\n1,2\n"), source("b.csv", "a,b\n3,4\n5,6\n")
	for name, c := range map[string]struct {
		of   []Source
		rows int
		says string
	}{
		"one": {[]Source{first}, 1, ""}, "two": {[]Source{first, second}, 3, ""}, "three": {[]Source{first, second, first}, 4, ""},
		"another column": {[]Source{first, source("c.csv", "a,c\n1,2\n")}, 1, "c"}, "a column more": {[]Source{first, source("d.csv", "a,b,c\n1,2,3\n")}, 1, "c"}, "a column fewer": {[]Source{first, source("e.csv", "a\n1\n")}, 1, "b"}, "another order": {[]Source{first, source("f.csv", "b,a\n1,2\n")}, 1, "order"},
		"another format": {[]Source{first, source("g.jsonl", "{}\n")}, 1, "are not both CSV"}, "gone": {[]Source{first, {Name: "gone", Open: func(record.Config) (Rows, error) { return nil, fmt.Errorf("it is gone") }}}, 1, "it is gone"},
	} {
		s := InOrder(c.of...)
		r, err := s.Open(record.Config{})
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for {
			if err = r.Next(); err != nil {
				break
			}
			rows++
		}
		if rows != c.rows || c.says == "" && err.Error() != "EOF" || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := InOrder(first); s.Name != first.Name {
		t.Errorf("%q", s.Name)
	}
	broken := Source{Name: "gone", Open: func(record.Config) (Rows, error) { return nil, fmt.Errorf("it is gone") }}
	if _, err := InOrder(broken, first).Open(record.Config{}); err == nil {
		t.Error("the first one is gone")
	}
}
