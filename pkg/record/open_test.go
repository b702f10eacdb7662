package record_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestAFileIsClosed with its reader, compressed or not: to close it again is an error.
func TestAFileIsClosed(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.jsonl": []byte("{}\n"), "a.jsonl.gz": packed.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := record.Open(path, record.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if first, again := r.Close(), r.Close(); first != nil || !errors.Is(again, os.ErrClosed) {
			t.Errorf("%s is closed with %v, and again with %v", name, first, again)
		}
	}
}
