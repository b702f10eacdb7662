package record_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fairstream/fairstream/pkg/record"
)

// yesNo reads records whose label y is positive when it is 1.
func yesNo(tb testing.TB) *record.Schema {
	tb.Helper()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// readAll writes what Read makes of text as "line: features" and "line! reason", in order. The
// error is the one that ends the file, nil at its end.
func readAll(tb testing.TB, source io.Reader, format record.Format, limits record.Limits) ([]string, error) {
	tb.Helper()
	reader, err := record.NewReader(source, format, limits)
	if err != nil {
		return nil, err
	}
	var rows []string
	var rec record.Record
	decoder := yesNo(tb).NewDecoder()
	for {
		err := reader.Read(decoder, &rec)
		if err == io.EOF {
			return rows, nil
		}
		if rejection, ok := errors.AsType[*record.Rejection](err); ok {
			if rejection.Line != reader.Line() {
				tb.Errorf("the rejection is of line %d, the reader at %d", rejection.Line, reader.Line())
			}
			rows = append(rows, fmt.Sprintf("%d! %s", rejection.Line, rejection.Reason))
			continue
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, fmt.Sprintf("%d: %s", reader.Line(), flatten(&rec)))
	}
}

func TestReadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rows       []string
	}{
		{"plain", "a,y\n1,1\n2,0\n", []string{"2: a=1", "3: a=2"}},
		{"no last line end", "a,y\n1,1\n2,0", []string{"2: a=1", "3: a=2"}},
		{"carriage returns", "a,y\r\n1,1\r\n2,0\r\n", []string{"2: a=1", "3: a=2"}},
		{"carriage return at the end", "a,y\r\n1,1\r", []string{"2: a=1"}},
		{"byte order mark", "\xef\xbb\xbfa,y\n1,1\n", []string{"2: a=1"}},
		{"byte order mark and quotes", "\xef\xbb\xbf\"a\",y\n1,1\n", []string{"2: a=1"}},
		{"blank lines", "\n\na,y\n\n1,1\r\n\r\n  \n2,0\n\n", []string{"5: a=1", "8: a=2"}},
		{"no rows", "a,y\n", nil},
		{"quotes", "a,b,y\n\"1,2\",\"say \"\"hi\"\"\",1\n\"\",\"\"\"\",\"0\"\n", []string{`2: a=1,2 b=say "hi"`, `3: a? b="`}},
		{"empty cells", "a,b,y\n,,1\n1,,0\n", []string{"2: a? b?", "3: a=1 b?"}},
		{"blanks are kept", "a,y\n 1 ,1\n", []string{"2: a= 1 "}},
		{"lines in quotes", "a,y\n\"1\n2\r\n3\",1\n4,0\n", []string{"2: a=1\n2\n3", "5: a=4"}},
		{"not ASCII", "größe,y\n日本,1\n", []string{"2: größe=日本"}},
		{"too few cells", "a,y\n1\n2,0\n", []string{"2! wrong_field_count", "3: a=2"}},
		{"too many cells", "a,y\n1,1,1\n2,0\n", []string{"2! wrong_field_count", "3: a=2"}},
		{"quote in a cell", "a,y\n1\"2,1\n2,0\n", []string{"2! malformed_csv", "3: a=2"}},
		{"text after a quote", "a,y\n\"1\"2,1\n2,0\n", []string{"2! malformed_csv", "3: a=2"}},
		{"quote never closed", "a,y\n\"1,1\n2,0\n3,1\n", []string{"2! malformed_csv", "3: a=2", "4: a=3"}},
		{"quote closed by the next", "a,y\n\"1,1\n2,\"0\"\n3,1\n", []string{"2! malformed_csv", "3: a=2", "4: a=3"}},
		{"quote closed, too wide", "a,y\nx,\"1\n2,0\n3,0\",1\n4,1\n", []string{"2! wrong_field_count", "3: a=2", "4! malformed_csv", "5: a=4"}},
		{"text after a quote at the end", "a,y\n1,1\n\"2\"0", []string{"2: a=1", "3! malformed_csv"}},
		{"quote open at the end", "a,y\n1,1\n2,\"", []string{"2: a=1", "3! malformed_csv"}},
		{"not UTF-8", "a,y\n\xff,1\n2,0\n", []string{"2! invalid_utf8", "3: a=2"}},
		{"no label", "a,y\n1,\n2,?\n3,0\n", []string{"2! missing_label", "3! missing_label", "4: a=3"}},
		{"label column absent", "a\n1\n2\n", []string{"2! missing_label", "3! missing_label"}},
		{"long line", "a,y\n" + strings.Repeat("x", 100) + ",1\n2,0\n", []string{"2! too_long", "3: a=2"}},
		{"long quoted line", "a,y\n\"" + strings.Repeat("x\n", 50) + "\",1\n2,0\n", append([]string{"2! malformed_csv"}, append(wrong(3, 51), "52! malformed_csv", "53: a=2")...)},
		{"long last line", "a,y\n1,1\n" + strings.Repeat("x", 100), []string{"2: a=1", "3! too_long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, source := range []io.Reader{
				strings.NewReader(c.text),
				iotest.OneByteReader(strings.NewReader(c.text)),
				iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				rows, err := readAll(t, source, record.CSV, record.Limits{RecordBytes: 50})
				if err != nil || !slices.Equal(rows, c.rows) {
					t.Errorf("rows %q, error %v, want %q", rows, err, c.rows)
				}
			}
		})
	}
}

// wrong says that the lines from first to last have the wrong number of cells.
func wrong(first, last int) []string {
	var rows []string
	for line := first; line <= last; line++ {
		rows = append(rows, fmt.Sprintf("%d! wrong_field_count", line))
	}
	return rows
}

func TestReadJSONLines(t *testing.T) {
	const text = "\xef\xbb\xbf{\"a\":1,\"y\":1}\r\n\n  \n{\"a\":2,\"y\":\n{\"a\":3,\"y\":0}\n" +
		"{\"a\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"y\":0}\n[]\n{\"a\":4,\"y\":0}"
	want := []string{"1: a=1", "4! malformed_json", "5: a=3", "6! too_long", "7! not_an_object", "8: a=4"}
	rows, err := readAll(t, iotest.HalfReader(strings.NewReader(text)), record.JSONLines, record.Limits{RecordBytes: 50})
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("rows %q, error %v, want %q", rows, err, want)
	}
}

func TestReaderErrors(t *testing.T) {
	for _, c := range []struct{ name, text, hint string }{
		{"empty", "", "no header line"},
		{"blank", "\n\r\n", "no header line"},
		{"name twice", "a,b,a\n1,2,3\n", "columns 1 and 3 have the same name"},
		{"no name", "a,,b\n", "column 2 has no name"},
		{"a title", "Report of 2026,,\n,,\na,b,c\n", "2 of 3 columns have no name: is the first line a title?"},
		{"long name", "a," + strings.Repeat("x", 513) + "\n", "column 2 has more than 512 bytes"},
		{"malformed", "a,\"b\n1,2\n", "line 1: malformed_csv"},
		{"not UTF-8", "a,\xff\n", "invalid_utf8"},
		{"UTF-16", "\xff\xfea\x00,\x00", "UTF-16"},
	} {
		_, err := record.NewReader(strings.NewReader(c.text), record.CSV, record.Limits{})
		if err == nil || !strings.Contains(err.Error(), c.hint) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.hint)
		}
	}
	if _, err := record.NewReader(strings.NewReader("a\n"), "tsv", record.Limits{}); err == nil || !strings.Contains(err.Error(), "csv, jsonl") {
		t.Errorf("unknown format: error %v", err)
	}
}

func TestReaderPassesOnErrorsOfTheSource(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{"a,y\n1,1\n2,", "a,y\n1,1\n", "a,y\n1,1\n2,\"x"} {
		source := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		rows, err := readAll(t, source, record.CSV, record.Limits{})
		if !errors.Is(err, broken) || !slices.Equal(rows, []string{"2: a=1"}) {
			t.Errorf("%q: rows %q, error %v", text, rows, err)
		}
	}
	if _, err := record.NewReader(iotest.ErrReader(broken), record.CSV, record.Limits{}); !errors.Is(err, broken) {
		t.Errorf("at the start: error %v", err)
	}
}

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		data := []byte(text)
		if strings.HasSuffix(strings.ToLower(name), ".gz") {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			data = packed.Bytes()
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"a.csv": "a,y\n1,1\n", "b.csv.gz": "a,y\n1,1\n", "c.jsonl": `{"a":1,"y":1}`, "d.JSONL.GZ": `{"a":1,"y":1}`,
	} {
		path := write(name, text)
		reader, err := record.Open(path, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		decoder := yesNo(t).NewDecoder()
		if err := reader.Read(decoder, &rec); err != nil || flatten(&rec) != "a=1" {
			t.Errorf("%s: error %v, features %q", name, err, flatten(&rec))
		}
		if err := reader.Read(decoder, &rec); err != io.EOF {
			t.Errorf("%s: error %v at the end", name, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if read, total := reader.Progress(); read != info.Size() || total != info.Size() {
			t.Errorf("%s: progress %d of %d, want all of %d", name, read, total, info.Size())
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}

	write("torn.csv.gz", strings.Repeat("a,y\n", 1000))
	torn := filepath.Join(folder, "torn.csv.gz")
	data, err := os.ReadFile(torn)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, data[:len(data)-8], 0o600); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(folder, "plain.csv.gz")
	if err := os.WriteFile(plain, []byte("a,y\n1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, hint := range map[string]string{
		filepath.Join(folder, "none.csv"):  "no such file",
		filepath.Join(folder, "x.parquet"): "cannot tell the format",
		write("empty.csv", ""):             "empty.csv: record: the file has no header",
		plain:                              "not a gzip file",
	} {
		if _, err := record.Open(path, record.Limits{}); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: error %v, want one with %q", path, err, hint)
		}
	}
	reader, err := record.Open(torn, record.Limits{})
	for err == nil || isRejection(err) {
		err = reader.Next()
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("torn file: error %v", err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
}

func isRejection(err error) bool {
	_, ok := errors.AsType[*record.Rejection](err)
	return ok
}

func TestRawAndAppendJSON(t *testing.T) {
	const text = "a,b,y\n1,\"x\"\"\n\t\",1\nbad\n2,é<>&,0\n"
	reader, err := record.NewReader(strings.NewReader(text), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if names := reader.Header().Names(); !slices.Equal(names, []string{"a", "b", "y"}) {
		t.Errorf("header %q", names)
	}
	var got []string
	for {
		err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			got = append(got, "rejected "+string(reader.Raw()))
			continue
		}
		got = append(got, string(reader.Raw()), string(reader.AppendJSON([]byte("> "))))
	}
	want := []string{
		"1,\"x\"\"\n\t\",1", `> {"a":"1","b":"x\"\n\t","y":"1"}`,
		"rejected bad",
		"2,é<>&,0", `> {"a":"2","b":"é<>&","y":"0"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	reader, err = record.NewReader(strings.NewReader("{\"a\": 1}\r\n"), record.JSONLines, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Next(); err != nil || string(reader.Raw()) != `{"a": 1}` || string(reader.AppendJSON(nil)) != `{"a": 1}` || reader.Header() != nil {
		t.Errorf("error %v, raw %q", err, reader.Raw())
	}
}

// TestReaderMemory: memory does not grow with the file.
func TestReaderMemory(t *testing.T) {
	row := []byte("1234567,1\n")
	reader, err := record.NewReader(io.MultiReader(strings.NewReader("a,y\n"), &repeated{text: row, left: 4 << 20}), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	decoder := yesNo(t).NewDecoder()
	var rec record.Record
	rows := 0
	allocated := testing.AllocsPerRun(1, func() {
		for {
			err := reader.Read(decoder, &rec)
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rows++
		}
	})
	if want := 4 << 20 / len(row); rows != want || allocated > 10 {
		t.Errorf("%d rows with %v allocations, want %d with next to none", rows, allocated, want)
	}
}

// repeated is text over and over, left bytes of it.
type repeated struct {
	text []byte
	at   int
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left < len(r.text) {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.left -= n
	return n, nil
}

func TestDecodeCSVChecksItsCells(t *testing.T) {
	header, err := record.NewHeader([]string{"a", "y"})
	if err != nil {
		t.Fatal(err)
	}
	decoder := yesNo(t).NewDecoder()
	var rec record.Record
	for _, c := range []struct {
		cells  [][]byte
		reason record.Reason
	}{
		{[][]byte{[]byte("1")}, record.WrongFieldCount},
		{nil, record.WrongFieldCount},
		{[][]byte{[]byte("\xff"), []byte("1")}, record.InvalidUTF8},
		{[][]byte{make([]byte, record.DefaultRecordBytes), []byte("1")}, record.TooLong},
	} {
		rejection, ok := errors.AsType[*record.Rejection](decoder.DecodeCSV(&rec, header, c.cells))
		if !ok || rejection.Reason != c.reason {
			t.Errorf("%d cells: %v, want %s", len(c.cells), rejection, c.reason)
		}
	}
	if err := decoder.DecodeCSV(&rec, header, [][]byte{[]byte("x"), []byte("1")}); err != nil || flatten(&rec) != "a=x" || rec.Size != 3 {
		t.Errorf("error %v, features %q, size %d", err, flatten(&rec), rec.Size)
	}
}

func TestKeptTextsAreTheirOwn(t *testing.T) {
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, ID: "id"}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(`{"id": "a7", "sex": "f", "x": "blue\n", "n": 12.5, "none": null, "y": 1}`)
	var r record.Record
	if rejection := schema.NewDecoder().DecodeJSON(&r, line); rejection != nil {
		t.Fatal(rejection)
	}
	memory := r.Keep(make([]byte, 0, 4)) // too little: earlier texts stay where they were
	copy(line, bytes.Repeat([]byte("z"), len(line)))
	got := string(r.ID) + " " + string(r.Attributes[0].Text)
	for _, f := range r.Features {
		got += fmt.Sprintf(" %s=%q", f.Name, f.Text)
	}
	if want := `a7 f x="blue\n" n="12.5" none=""`; got != want {
		t.Errorf("kept are %s, want %s", got, want)
	}
	if len(memory) == 0 || r.Features[len(r.Features)-1].Text != nil {
		t.Error("a missing text is kept")
	}
}

// TestSkipPassesTheRowsOfNext: with the same lines and offsets, whatever is wrong within rows.
func TestSkipPassesTheRowsOfNext(t *testing.T) {
	text := "a,b\n1,2\n\n\"x\n,\"\"y\",3\r\n1\n\xff,2\n\"open,4\na\"b,5\n" + strings.Repeat("z", 99) + "\n6,7"
	for _, format := range []record.Format{record.CSV, record.JSONLines} {
		next, err := record.NewReader(strings.NewReader(text), format, record.Limits{RecordBytes: 50})
		if err != nil {
			t.Fatal(err)
		}
		skip, err := record.NewReader(strings.NewReader(text), format, record.Limits{RecordBytes: 50})
		if err != nil {
			t.Fatal(err)
		}
		for rows := 0; ; rows++ {
			want, got := next.Next(), skip.Skip()
			if next.Line() != skip.Line() || next.Offset() != skip.Offset() || (want == io.EOF) != (got == io.EOF) {
				t.Fatalf("%s: line %d at %d and line %d at %d: %v and %v", format, next.Line(), next.Offset(), skip.Line(), skip.Offset(), want, got)
			}
			if want == io.EOF {
				if rows < 8 {
					t.Errorf("%s: %d rows", format, rows)
				}
				break
			}
		}
	}
}
