package backfill

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// formatsOf are the same records in each format, with the end of the name.
func formatsOf(t *testing.T, list []row) map[string]string {
	t.Helper()
	var text, lines strings.Builder
	text.WriteString("number,word,group,label\n")
	for _, r := range list {
		fmt.Fprintf(&text, "%v,%s,%s,%s\n", r.Number, r.Word, r.Group, r.Label)
		fmt.Fprintf(&lines, "{\"number\":%v,\"word\":%q,\"group\":%q,\"label\":%q}\n", r.Number, r.Word, r.Group, r.Label)
	}
	packed := func(text string) string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, err := w.Write([]byte(text))
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	return map[string]string{".csv": text.String(), ".jsonl": lines.String(), ".csv.gz": packed(text.String()), ".jsonl.gz": packed(lines.String()),
		".parquet": parquetOf(t, list), ".avro": avroOf(t, list)}
}

// read reads a file as the first pass does: how many good records it has, how many rejected ones, and the error that would end a backfill.
func read(t *testing.T, name string) (good, rejected int64, err error) {
	t.Helper()
	b, _ := prepared(t, name)
	c := rowConfig()
	c.Stream.RejectLimit.Share = .05
	if err := b.Configure(c, nil); err != nil {
		return 0, 0, err
	}
	err = b.files.Read(context.Background(), 0, func(int64, *record.Record) { good++ })
	return good, b.files.rejected.Total, err
}

// TestDamagedFiles: a file that was cut off anywhere, or of which a byte is another one, is an error with its name, or the rows that it concerns are counted as rejected.
// Where neither is the case all rows are there: a byte of a value is another value. Nothing panics.
func TestDamagedFiles(t *testing.T) {
	const records = 400
	for end, text := range formatsOf(t, rows(5, records)) {
		name := filepath.Join(t.TempDir(), "part"+end)
		write(t, name, text)
		if good, rejected, err := read(t, name); good != records || rejected != 0 || err != nil {
			t.Fatalf("%s: %d good, %d rejected, %v", end, good, rejected, err)
		}
		binary := end != ".csv" && end != ".jsonl"
		damage := func(what, text string, cut bool) {
			write(t, name, text)
			good, rejected, err := read(t, name)
			switch {
			case err != nil:
				if !strings.Contains(err.Error(), name) {
					t.Errorf("%s %s: the error does not name the file: %v", end, what, err)
				}
			case cut && binary:
				t.Errorf("%s %s: no error, %d good and %d rejected records", end, what, good, rejected)
			case !cut && good+rejected < records-1: // a line end that is none joins two rows
				t.Errorf("%s %s: %d good and %d rejected records of %d, and no error", end, what, good, rejected, records)
			case cut && end == ".jsonl" && rejected == 0 && !strings.HasSuffix(strings.TrimSuffix(text, "\n"), "}"):
				t.Errorf("%s %s: the last record is gone", end, what)
			}
		}
		for k := range 40 {
			at := 1 + len(text)*k/41
			damage(fmt.Sprintf("cut off at %d of %d", at, len(text)), text[:at], true)
			damage(fmt.Sprintf("with another byte at %d of %d", at, len(text)), text[:at]+string(text[at]^0x15)+text[at+1:], false)
			damage(fmt.Sprintf("with zeros at %d of %d", at, len(text)), text[:at]+strings.Repeat("\x00", min(8, len(text)-at))+text[min(len(text), at+8):], false)
		}
	}
}

// TestAFileThatGoes: a file that is removed while the backfill works is named.
func TestAFileThatGoes(t *testing.T) {
	directory := t.TempDir()
	for i := range 3 {
		write(t, filepath.Join(directory, fmt.Sprintf("part-%d.csv", i)), formatsOf(t, rows(uint64(i), 100))[".csv"])
	}
	b, _ := prepared(t, filepath.Join(directory, "part-*"))
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(directory, "part-1.csv")); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "part-1.csv") {
		t.Errorf("%v", err)
	}
}

// TestAChangedSchemaAmongManyFiles: the file that lacks a field is named, and the one that has texts where all others have numbers, whoever reads them.
func TestAChangedSchemaAmongManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("computes in one goroutine")
	}
	directory := t.TempDir()
	name := func(i int) string { return filepath.Join(directory, fmt.Sprintf("part-%04d.jsonl", i)) }
	for i := range 40 {
		text := formatsOf(t, rows(uint64(i), valuesForKind))[".jsonl"]
		switch i {
		case 13:
			text = strings.ReplaceAll(text, `"word":`, `"words":`)
		case 27:
			text = strings.ReplaceAll(strings.ReplaceAll(text, `"number":`, `"number":"EUR `), `,"word"`, `","word"`)
		}
		write(t, name(i), text)
	}
	for _, far := range []Far{nil, &workers{number: 3, blockBytes: 1 << 20}} {
		_, said, err := ofFiles(t, far, rowConfig(), filepath.Join(directory, "part-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{`The field "word" is in 39 of 40 files: ` + name(13) + " lacks it.", `The field "words" is in 1 of 40 files: ` + name(0) + " lacks it.",
			`The field "number" is a number in 39 files and a text in 1 file: first in ` + name(27) + "."} {
			if !strings.Contains(said, words) {
				t.Errorf("%T: %q is not in\n%s", far, words, said[:min(len(said), 3000)])
			}
		}
	}
}
