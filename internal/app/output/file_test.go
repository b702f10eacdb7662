package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var notes = Kind{Words: "a note", Ours: regexp.MustCompile(`^note:`)}

func inDirectory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheck: a command replaces files of its own kind and empty ones, and nothing that it reads.
func TestCheck(t *testing.T) {
	inDirectory(t, map[string]string{"ours": "note: old", "marked": "\ufeffnote: old", "empty": "", "theirs": "other", "short": "n", "note-late": strings.Repeat(" ", recognisable) + "note:"})
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("ours", "link"), os.Link("ours", "hard")); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		inputs []string
		want   string // empty: it may be written
	}{
		{"new", nil, ""},
		{"ours", []string{"", "theirs", "not there"}, ""},
		{"marked", nil, ""},
		{"empty", nil, ""},
		{"link", nil, ""},
		{os.DevNull, []string{"ours"}, ""},
		{"theirs", nil, "--save theirs: the file exists and is not a note, so it is not replaced"},
		{"short", nil, "--save short: the file exists and is not a note"},
		{"note-late", nil, "--save note-late: the file exists and is not a note"},
		{"folder", nil, "--save folder: is a directory"},
		{"none/new", nil, "--save none/new: there is no directory none"},
		{"ours/new", nil, "--save ours/new: there is no directory ours"},
		{"/proc/new", nil, "--save /proc/new: no file can be made in the directory /proc: open /proc/.fairstream-"},
		{"new", []string{"new"}, "--save new: the command reads this file, or writes something else to it"},
		{"ours", []string{filepath.Join(here, "folder", "..", "ours")}, "--save ours: the command reads this file"},
		{"hard", []string{"ours"}, "--save hard: this is the file ours, which the command reads"},
		{"link", []string{"ours"}, "--save link: this is the file ours, which the command reads"},
	} {
		err := File{Flag: "--save", Name: c.name, Kind: notes}.Check(c.inputs...)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s beside %v: %v, want %q", c.name, c.inputs, err, c.want)
		}
	}
}

// TestWrite: a file is replaced as a whole and keeps its mode, a link keeps leading to it, and no part stays behind.
func TestWrite(t *testing.T) {
	inDirectory(t, map[string]string{"old": "before, and longer"})
	if err := os.Symlink("old", "link"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"new", "old", "link", os.DevNull} {
		if err := (File{Name: name}).Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"new": "new", "old": "link", "link": "link"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s holds %q, want %q (%v)", name, text, want, err)
		}
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info, err)
	}
	if info, err := os.Stat("old"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v (%v)", info.Mode(), err)
	}
	// What a killed process of the same number left is in nobody's way.
	if err := os.WriteFile(fmt.Sprintf("new.part-%d", os.Getpid()), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (File{Name: "new"}).Write([]byte("newer")); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (File{Name: "none/new"}).Write([]byte("x")); err == nil {
		t.Error("a file in no directory was written")
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 4 {
		t.Errorf("%v are left (%v)", entries, err)
	}
}
