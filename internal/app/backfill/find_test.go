package backfill

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestNoFileIsPassedOver: what a pattern names and nobody can read is an error with its name, whatever it is.
func TestNoFileIsPassedOver(t *testing.T) {
	directory := t.TempDir()
	path := func(name string) string { return filepath.Join(directory, name) }
	for _, folder := range []string{"good", "loop", "gone", "pipe", "folder", "empty", "packed", "mixed", "linked", "kept/secret"} {
		if err := os.MkdirAll(path(folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := formatsOf(t, rows(1, 500))
	for _, folder := range []string{"good", "loop", "gone", "pipe", "folder", "packed", "linked", "kept", "kept/secret"} {
		write(t, path(folder+"/a.csv"), text[".csv"])
	}
	write(t, path("empty/a.csv"), "")
	write(t, path("packed/b.csv.zst"), "\x28\xb5\x2f\xfd")
	write(t, path("mixed/a.csv.gz"), text[".csv"])
	for from, to := range map[string]string{"loop/b.csv": "b.csv", "gone/b.csv": "nowhere.csv", "linked/b.csv": "a.csv"} {
		if err := os.Symlink(to, path(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(path("folder/b.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path("pipe/b.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ pattern, words string }{
		{"good/*", ""},
		{"linked/b.csv", ""},
		{"linked/*", "linked/b.csv are the same file"},
		{"good/../linked/*", "linked/b.csv are the same file"},
		{"loop/*", "b.csv: too many levels of symbolic links"},
		{"loop/b.csv", "b.csv: too many levels of symbolic links"},
		{"gone/*", "b.csv: no such file"},
		{"gone/b.csv/*", "b.csv: no such file"},
		{"pipe/*", "b.csv is not a regular file"},
		{"folder/*", "b.csv is a directory"},
		{"**/*.csv", "** is not supported"},
		{"empty/*", "empty/a.csv"},
		{"packed/*", "b.csv.zst is compressed in a format that is not supported"},
		{"mixed/*", "a.csv.gz"},
		{"goo*/a.csv", ""},
		{"none/*", "no file has such a name"},
	}
	if os.Geteuid() != 0 { // nothing is kept from root
		if err := os.Chmod(path("kept/secret"), 0); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, []struct{ pattern, words string }{{"kept/*/a.csv", "secret: permission denied"}, {"kept/secret/a.csv", "permission denied"}, {"kept/a.csv", ""}}...)
		defer func() { _ = os.Chmod(path("kept/secret"), 0o700) }()
	}
	for _, c := range cases {
		b, said := prepared(t, path(c.pattern))
		err := b.Configure(rowConfig(), nil)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s: %v, and not %q\n%s", c.pattern, err, c.words, said)
		}
	}
}

// TestAFileThatGrows: rows that come to a file while it is read, or while its hash is taken, end the work.
func TestAFileThatGrows(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	text := formatsOf(t, rows(1, 500))[".csv"]
	write(t, name, text)
	b, _ := prepared(t, name)
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	err := b.files.Read(context.Background(), 0, func(position int64, _ *record.Record) {
		if position == 499 {
			write(t, name, text+"1,red,a,yes\n")
		}
	})
	if err == nil || !strings.Contains(err.Error(), "a.csv was changed") {
		t.Errorf("while it is read: %v", err)
	}
	if _, _, err := b.files.provenance(); err == nil || !strings.Contains(err.Error(), "a.csv was changed") {
		t.Errorf("while its hash is taken: %v", err)
	}
}

// TestUnknownGroups: a constraint whose groups no record has is said to have no effect, and so are records without a time.
func TestUnknownGroups(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	text := strings.Replace(formatsOf(t, rows(1, 600))[".csv"], ",label\n", ",label,made\n", 1)
	text = strings.ReplaceAll(strings.ReplaceAll(text, ",yes\n", ",yes,2025-11-01T10:00:00Z\n"), ",no\n", ",no,\n")
	write(t, name, text)
	b, said := prepared(t, name)
	b.TimeField = "made"
	c := rowConfig()
	c.Constraints[0].Versus = model.Values("elf")
	if err := errors.Join(b.Configure(c, nil), b.Run(context.Background())); err != nil {
		t.Fatal(err)
	}
	mustSay(t, said.String(), "The constraint group had no effect in the rounds", "without a time in made: these come first")
}

// TestDamagedRounds: rounds of which a disk changed a digit are not gone on from.
func TestDamagedRounds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	write(t, name, formatsOf(t, rows(1, 500))[".csv"])
	b, said := prepared(t, name)
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	b.of = "these files"
	if err := b.save([]byte(`{"weight":12345}`)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(partName(b.Output))
	if err != nil {
		t.Fatal(err)
	}
	torn := []string{b.Output + ".part-12", partName(b.Output) + ".part-7"}
	for _, name := range append(torn, b.Output+".part-x") {
		write(t, name, "torn")
	}
	if err := b.sweep(); err != nil {
		t.Error(err)
	}
	for _, name := range torn {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s, which a killed process left, is still there", name)
		}
	}
	if _, err := os.Stat(b.Output + ".part-x"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ text, words string }{
		{string(whole), ""},
		{strings.Replace(string(whole), "12345", "12245", 1), "is damaged"},
		{string(whole[:len(whole)/2]), "is damaged"},
		{strings.Replace(string(whole), "these", "other", 1), "is from another backfill"},
	} {
		write(t, partName(b.Output), c.text)
		said.Reset()
		saved, err := b.saved()
		if err != nil || (saved != nil) != (c.words == "") || !strings.Contains(said.String(), c.words) {
			t.Errorf("%s: %s, %v, %s", c.text, saved, err, said)
		}
	}
}

// TestWhatAPatternMayMiss: a folder that cannot be read is an error, a file beside folders is not, and what is not there is left to whoever looks for it.
func TestWhatAPatternMayMiss(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("2024", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, "a.csv", "x\n1\n")
	for pattern, want := range map[string]error{"a.csv": nil, "none.csv": nil, "a.csv/none": syscall.ENOTDIR, "*/*.csv": nil, "[/*.csv": filepath.ErrBadPattern} {
		if err := passable(pattern); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	if err := passable("history/**/*.csv"); err == nil || !strings.HasPrefix(err.Error(), "** is not supported") {
		t.Error(err)
	}
}
