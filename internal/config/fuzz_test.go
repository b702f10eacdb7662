package config

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzLoad: no file makes Load panic, and what it accepts is printed as a file that gives the same.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("record: &a {label: {field: y, positive: 1}}\nlearner: *a\n"))
	f.Add([]byte("record: {label: {field: y, positive: 1}}\nconstraints: [{attribute: [a, b], group: [1, 2], versus: rest, tau: .1}]\n"))
	f.Add([]byte("? [a]\n: b\n<<: {a: b}\n"))
	f.Add([]byte("- - -\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("learner: {columns: {~: {type: numeric}, a: ~, ? {} : 1}, crosses: [~, [~]]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "fuzz.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		first, err := Load(Sources{Files: []string{file}}, Learning)
		if err != nil || first.Kafka.SASLPassword != "" { // which is not printed
			return
		}
		printed, err := first.YAML()
		if err != nil {
			t.Fatalf("cannot be printed: %v", err)
		}
		if err := os.WriteFile(file, printed, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := Load(Sources{Files: []string{file}}, Learning)
		if err != nil {
			t.Fatalf("printed as\n%s\nwhich is refused: %v", printed, err)
		}
		if once, twice := plain(t, first), plain(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("printed as\n%s\nand then as\n%s", once, twice)
		}
	})
}

// plain prints a configuration without saying where its values come from.
func plain(t *testing.T, l *Loaded) []byte {
	t.Helper()
	text, err := (&Loaded{Config: l.Config}).YAML()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
