package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestNewSources: the records of all files come in the order of their names, each file once, and every bad name is told.
func TestNewSources(t *testing.T) {
	directory := t.TempDir()
	var names []string
	for name, text := range map[string]string{"b.csv": "n\n1\n", "a.csv": "n\n2\n"} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"b.csv", "a.csv"} {
		names = append(names, filepath.Join(directory, name))
	}
	byExtension := func(string) string { return "" }
	source, err := NewSources(names, byExtension, strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := source.Open(record.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	read := ""
	for rows.Next() == nil {
		read += string(rows.Raw())
	}
	if read != "12" {
		t.Errorf("rows %q", read)
	}
	_, err = NewSources([]string{names[0], names[0], "x.unknown"}, byExtension, strings.NewReader(""))
	if err == nil || !strings.Contains(err.Error(), "is given twice") || !strings.Contains(err.Error(), "cannot tell the format") {
		t.Error(err)
	}
}
