package backfill

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

// rewrite puts another text of the same length in the place of a file, and leaves its time as it was.
func rewrite(t *testing.T, name string, change func([]byte)) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	change(data)
	write(t, name, string(data))
	if err := os.Chtimes(name, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// TestAFileWithOtherRows: one that changes between two passes is named, in each format, although its size and its time stay the same.
func TestAFileWithOtherRows(t *testing.T) {
	list := rows(1, 300)
	before := formatsOf(t, list)
	list[200].Word = list[200].Word[:len(list[200].Word)-1] + "~"
	for end, after := range formatsOf(t, list) {
		if len(after) != len(before[end]) {
			after = before[end] // a packed file of another length is known by that
		}
		name := filepath.Join(t.TempDir(), "a"+end)
		write(t, name, before[end])
		b, _ := prepared(t, name)
		if err := b.Configure(rowConfig(), nil); err != nil {
			t.Fatal(err)
		}
		read := func() error { return b.files.Read(context.Background(), 0, func(int64, *record.Record) {}) }
		if err := errors.Join(read(), read()); err != nil {
			t.Fatal(end, err)
		}
		rewrite(t, name, func(data []byte) { copy(data, after) })
		if err := read(); after != before[end] && (!errors.Is(err, errChanged) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// hook calls a function when a text is said.
type hook struct {
	io.Writer
	text string
	do   func()
}

func (h *hook) Write(p []byte) (int, error) {
	if h.do != nil && bytes.Contains(p, []byte(h.text)) {
		h.do()
		h.do = nil
	}
	return h.Writer.Write(p)
}

// TestAFileThatChangesBetweenPasses ends the backfill, whoever reads the files, also while it was not at work. The next one begins from the start.
func TestAFileThatChangesBetweenPasses(t *testing.T) {
	for what, far := range map[string]Far{"here": nil, "blocks of workers": &workers{number: 2, blockBytes: 4000}} {
		name := filepath.Join(t.TempDir(), "a.csv")
		write(t, name, formatsOf(t, rows(1, 600))[".csv"])
		swap := func() { rewrite(t, name, func(data []byte) { data[bytes.LastIndexByte(data, ',')-1] ^= 3 }) }
		run := func(b *Backfill, said io.Writer, at string, do func()) error {
			b.Far, b.Err = far, &hook{said, at, do}
			ctx, kill := context.WithCancel(context.Background())
			defer kill()
			if do == nil {
				b.Err = &hook{said, at, kill}
			}
			return errors.Join(b.Configure(rowConfig(), nil), b.Run(ctx))
		}
		b, said := prepared(t, name)
		if err := run(b, said, "round 2", swap); !errors.Is(err, errChanged) || !strings.Contains(err.Error(), name) {
			t.Fatalf("%s: %v\n%s", what, err, said)
		}
		if _, err := os.Stat(partName(b.Output)); err == nil {
			t.Errorf("%s: %s is still there", what, partName(b.Output))
		}
		if err := run(b, said, "round 3", nil); err == nil {
			t.Fatalf("%s: it was not stopped", what)
		}
		if swap(); !errors.Is(run(b, said, "never", func() {}), errChanged) {
			t.Errorf("%s: rounds of other rows were taken", what)
		}
		if err := run(b, said, "never", func() {}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestOneBackfillForAnOutput: a second one is refused while the first one works, also by another name of the file, and leaves it alone.
func TestOneBackfillForAnOutput(t *testing.T) {
	directory := t.TempDir()
	name := filepath.Join(directory, "a.csv")
	write(t, name, formatsOf(t, rows(1, 600))[".csv"])
	if err := os.Symlink(directory, filepath.Join(directory, "link")); err != nil {
		t.Fatal(err)
	}
	first, said := prepared(t, name)
	first.Output = filepath.Join(directory, "history.state")
	var refused error
	var locked os.FileMode
	first.Err = &hook{said, "round 2", func() {
		if info, err := os.Stat(first.Output + ".lock"); err == nil {
			locked = info.Mode().Perm()
		}
		second, _ := prepared(t, name)
		second.Output = filepath.Join(directory, "link", "history.state")
		refused = errors.Join(second.Configure(rowConfig(), nil), second.Run(context.Background()))
	}}
	for range 2 {
		if err := errors.Join(first.Configure(rowConfig(), nil), first.Run(context.Background())); err != nil {
			t.Fatal(err)
		}
	}
	if refused == nil || !strings.Contains(refused.Error(), "another backfill is writing to ") {
		t.Errorf("the second one: %v", refused)
	}
	if locked&0o044 != 0o044 {
		t.Errorf("another user cannot see the lock: %v", locked)
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 3 {
		t.Errorf("%v are left, %v", entries, err)
	}
}
