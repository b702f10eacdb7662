package backfill

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	for _, one := range []struct{ pattern, name, key string }{
		{"/data/history/*.csv", "/data/history/a.csv", "a.csv"},
		{"history/*.csv", "history/a.csv", "a.csv"},
		{"./history/../history/*.csv", "history/a.csv", "a.csv"},
		{"../*/a.csv", "../may/a.csv", "may/a.csv"},
		{"/data/*/part-?/*.csv", "/data/may/part-1/a.csv", "may/part-1/a.csv"},
		{"/data/a.csv", "/data/a.csv", "a.csv"},
		{"a.csv", "a.csv", "a.csv"},
		{"*", "a.csv", "a.csv"},
		{"s3://bucket/history/*.csv", "s3://bucket/history/a.csv", "a.csv"},
		{"s3://bucket/*/a.csv", "s3://bucket/may/a.csv", "may/a.csv"},
		{"s3://bucket/*", "s3://bucket/may/a.csv", "may/a.csv"},
	} {
		if got := keyOf(one.pattern, one.name); got != one.key {
			t.Errorf("%s of %s: %q, want %q", one.name, one.pattern, got, one.key)
		}
	}
	var keys []string
	times := map[string]int{}
	for _, name := range []string{"a", "b", "a", "a"} {
		keys = append(keys, tellApart(times, name))
	}
	if slices.Sort(keys); len(slices.Compact(keys)) != 4 || keys[0] != "a" {
		t.Errorf("%q", keys)
	}
}

// TestAMovedHistoryLeavesTheSameState: from another folder, and from two of them.
func TestAMovedHistoryLeavesTheSameState(t *testing.T) {
	if testing.Short() {
		t.Skip("computes in one goroutine")
	}
	here := adultFiles(t, 3, 700)
	there := filepath.Join(t.TempDir(), "a folder with another name")
	if err := os.CopyFS(there, os.DirFS(here)); err != nil {
		t.Fatal(err)
	}
	want, _, err := ofFiles(t, nil, adultConfig(), filepath.Join(here, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := ofFiles(t, nil, adultConfig(), filepath.Join(there, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Learner, want.Learner) {
		t.Error("the state depends on the folder")
	}
}
