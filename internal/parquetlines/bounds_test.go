package parquetlines

import (
	"bytes"
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestTheEndOfAFile says how long its description is: at most all that comes before, and at most so many bytes.
func TestTheEndOfAFile(t *testing.T) {
	file := func(size int, length uint32, mark string) []byte {
		return append(binary.LittleEndian.AppendUint32(make([]byte, size-8), length), mark...)
	}
	for _, c := range []struct {
		bytes []byte
		says  string // empty: it may be one
	}{
		{file(12, 4, "PAR1"), ""}, {file(12, 5, "PAR1"), "its footer has 5 bytes"}, {file(12, 4, "PARE"), "is an encrypted Parquet file"}, {file(12, 4, "PAR2"), "does not end in PAR1"}, {file(12, 4, "PAR1")[1:], "fewer than 12 bytes"},
		{file(100, 92, "PAR1"), ""}, {file(100, 93, "PAR1"), "its footer has 93 bytes"}, {file(1000, 1<<8, "PAR1"), ""}, {file(1000, 1<<16, "PAR1"), "its footer has 65536 bytes"}, {file(1000, 1<<24, "PAR1"), "its footer has 16777216 bytes"},
	} {
		err := checkFooter(bytes.NewReader(c.bytes), int64(len(c.bytes)))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d bytes that end in %q: %v", len(c.bytes), c.bytes[len(c.bytes)-8:], err)
		}
	}
	if err := checkFooter(strings.NewReader("short"), 100); err != io.EOF {
		t.Errorf("a file that is shorter than it says: %v", err)
	}
	if _, _, err := Groups(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there has groups")
	}
}

// TestSomeRowGroups from one up to another are read, all, or those from one on; none is an error.
func TestSomeRowGroups(t *testing.T) {
	type row struct{ X int }
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	for x := range 3 {
		if _, err := w.Write([]row{{x}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to int
		want     string // empty: an error
	}{{0, -1, "012"}, {0, 3, "012"}, {0, 1, "0"}, {1, 2, "1"}, {1, -1, "12"}, {2, 3, "2"}, {0, 0, ""}, {1, 0, ""}, {1, 1, ""}, {3, -1, ""}, {0, 4, ""}, {-1, 2, ""}} {
		l, err := newLines(bytes.NewReader(file.Bytes()), int64(file.Len()), c.from, c.to)
		if (err == nil) != (c.want != "") {
			t.Errorf("from %d to %d: %v", c.from, c.to, err)
		}
		if err != nil {
			continue
		}
		text, err := io.ReadAll(l)
		got := strings.NewReplacer(`{"X":`, "", "}\n", "").Replace(string(text))
		if err != nil || got != c.want {
			t.Errorf("from %d to %d: %q, %v", c.from, c.to, text, err)
		}
	}
	for text, want := range map[string]string{"a b": `"a b"`, "a \xff!\"\\\x1f ~": "\"a \xff! ~\"", "\"": `"\""`} {
		if got := string(appendText(nil, text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
