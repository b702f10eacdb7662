package input

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/fairstream/fairstream/pkg/record"
)

// told are the rows of a source, or why they are rejected, with their lines and numbers from some number on.
func told(t *testing.T, s Source, from int64) (rows []string) {
	t.Helper()
	reader, err := s.Open(record.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}()
	for row := from; ; row++ {
		err := reader.Next()
		switch rejection, is := errors.AsType[*record.Rejection](err); {
		case err == io.EOF:
			return rows
		case is:
			rows = append(rows, fmt.Sprintf("%d line %d %d: %v", row, reader.Line(), rejection.Line, rejection))
		case err != nil:
			t.Fatal(err)
		default:
			rows = append(rows, fmt.Sprintf("%d line %d %s %s", row, reader.Line(), reader.Raw(), reader.AppendJSON(nil)))
		}
	}
}

// sameInBlocks reads a file in blocks of several sizes, and returns how many blocks there were at most.
func sameInBlocks(t *testing.T, name string, sizes ...int64) (most int) {
	t.Helper()
	s, err := NewSource(name, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := told(t, s, 0)
	for _, size := range sizes {
		blocks, err := s.Blocks(record.Config{}, size)
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, b := range blocks {
			rows = append(rows, told(t, s.Block(b), b.Row)...)
		}
		if !slices.Equal(rows, want) {
			t.Fatalf("%s: %d rows in %d blocks of %d bytes are not the %d rows of the file", name, len(rows), len(blocks), size, len(want))
		}
		most = max(most, len(blocks))
	}
	return most
}

// TestBlocksHaveTheRowsOfTheFile: each row once, with its line, also among quotes that nobody closes, rows over lines, blank lines and lines that are too
// long, with a mark at the beginning and without.
func TestBlocksHaveTheRowsOfTheFile(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	rows := []string{"1,2\n", "\"x\n,\"\"y\",3\r\n", "\n", "\"open,4\n", "a\"b,5\n", "6\n", ",\n", "\xff,7\n", "[8],9\n", strings.Repeat("z", 300) + ",0\n"}
	lines := []string{"{\"a\":1}\n", "[\n", "[{\"a\":1}]\n", "\n", "{\n", "\xef\xbb\xbf{\"a\":2}\n", "{\"a\":\"\\n\"}\r\n", "PAR1\n", "Obj\x01\n", "\x1f\x8b\n"}
	for i := range 60 {
		for extension, parts := range map[string][]string{"csv": rows, "jsonl": lines} {
			text := map[string]string{"csv": "a,b\n", "jsonl": "{}\n"}[extension]
			if i%3 == 0 && extension == "csv" {
				text = "\xef\xbb\xbf\"a\nc\",b\r\n"
			}
			for range 30 {
				text += parts[random.IntN(len(parts))]
			}
			name := filepath.Join(t.TempDir(), "file."+extension)
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if most := sameInBlocks(t, name, 1, 7, 40, 200, 1<<20); most < 5 {
				t.Errorf("%s has at most %d blocks", name, most)
			}
		}
	}
}

// TestBlocksOfParquet are its row groups.
func TestBlocksOfParquet(t *testing.T) {
	type row struct {
		Number int64
		Word   string
	}
	name := filepath.Join(t.TempDir(), "file.parquet")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](file)
	for group := range 5 {
		for i := range 100 + group {
			if _, err := w.Write([]row{{int64(1000*group + i), strings.Repeat("w", i)}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if most := sameInBlocks(t, name, 1, 3000, 1<<20); most != 5 {
		t.Errorf("%d blocks, and not the 5 row groups", most)
	}
	s, err := NewSource(name, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Block(Block{From: 4, To: 6}).Open(record.Config{}); err == nil || !strings.Contains(err.Error(), "5 row groups") {
		t.Errorf("row groups that are not there: %v", err)
	}
}

// TestFilesOfOneBlock: what is packed or in a dialect, and what is read to its end to know whether it has labels.
func TestFilesOfOneBlock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file.csv")
	if err := os.WriteFile(name, []byte("a;b\n"+strings.Repeat("1;2\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := NewSource(name, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := record.Config{Unlabelled: record.Count}
	for what, as := range map[string]record.Config{"a dialect": {CSV: record.Dialect{Separator: ";"}}, "records without labels": counts} {
		if blocks, err := s.Blocks(as, 10); err != nil || len(blocks) != 1 || !blocks[0].IsWhole() {
			t.Errorf("%s: %v, %v", what, blocks, err)
		}
	}
	if err := os.WriteFile(name, []byte("a,b\n"+strings.Repeat("1,2\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if blocks, err := s.Blocks(record.Config{}, 10); err != nil || len(blocks) < 10 {
		t.Errorf("%d blocks, %v", len(blocks), err)
	}
	bundled := AllBundled()
	if blocks, err := bundled.Blocks(record.Config{}, 10); err != nil || len(blocks) != 1 {
		t.Errorf("%d blocks, %v", len(blocks), err)
	}
	if _, err := bundled.Block(Block{From: 1}).Open(record.Config{}); err == nil {
		t.Error("a block of what has none")
	}
}
