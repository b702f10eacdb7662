package storage

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestAddresses(t *testing.T) {
	for name, want := range map[string]string{
		"/data/a?b":                    "/data/a?b",
		"s3://bucket/history/a.csv":    "/history/a.csv",
		"s3://bucket/a?b#c%20d e.csv":  "/a?b#c%20d e.csv",
		"s3://bucket/history/*.csv":    "/history/*.csv",
		"s3://bucket":                  "/",
		"s3://bucket/month=may/a+b.gz": "/month=may/a+b.gz",
	} {
		got := address(name)
		if !IsAddress(name) {
			if got != want {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		if parsed, err := url.Parse(got); err != nil || parsed.Path != want || parsed.Host != "bucket" || parsed.RawQuery != "" || parsed.Fragment != "" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// TestPatterns: a broad pattern leaves out nothing, and a literal one matches one name.
func TestPatterns(t *testing.T) {
	names := []string{"s3://b/h/a.csv", "s3://b/h/b.csv", "s3://b/h/ab.csv", "s3://b/h/c/a.csv", "s3://b/h/", "s3://b/h/[x]*?.csv", `s3://b/h/a\b.csv`}
	for _, one := range []struct {
		pattern, broad string
		want           []string
	}{
		{"s3://b/h/*.csv", "s3://b/h/*.csv", []string{"s3://b/h/a.csv", "s3://b/h/b.csv", "s3://b/h/ab.csv", "s3://b/h/[x]*?.csv", `s3://b/h/a\b.csv`}},
		{"s3://b/h/?.csv", "s3://b/h/*.csv", []string{"s3://b/h/a.csv", "s3://b/h/b.csv"}},
		{"s3://b/h/[a]*.csv", "s3://b/h/**.csv", []string{"s3://b/h/a.csv", "s3://b/h/ab.csv", `s3://b/h/a\b.csv`}},
		{"s3://b/*/?/a.csv", "s3://b/*/*/a.csv", []string{"s3://b/h/c/a.csv"}},
		{`s3://b/h/[\]a].csv`, "s3://b/h/*.csv", []string{"s3://b/h/a.csv"}},
		{"s3://b/h/*", "s3://b/h/*", []string{"s3://b/h/a.csv", "s3://b/h/b.csv", "s3://b/h/ab.csv", "s3://b/h/[x]*?.csv", `s3://b/h/a\b.csv`}},
		{literal("s3://b/h/[x]*?.csv"), "s3://b/h/*x]**.csv", []string{"s3://b/h/[x]*?.csv"}},
		{literal(`s3://b/h/a\b.csv`), "s3://b/h/a*b.csv", []string{`s3://b/h/a\b.csv`}},
	} {
		if got := broad(one.pattern); got != one.broad {
			t.Errorf("%s: %s, want %s", one.pattern, got, one.broad)
		}
		var got []string
		for _, name := range names {
			if matches(one.broad, name) && matches(one.pattern, name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, one.want) {
			t.Errorf("%s: %q, want %q", one.pattern, got, one.want)
		}
	}
}

// TestAFileIsNeverThereInPart: what could not be written to its end is not there, and what was there before is.
func TestAFileIsNeverThereInPart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "by [writing]")
	name := filepath.Join(folder, "a")
	ctx := context.Background()
	if empty, err := IsEmpty(ctx, folder); !empty || err != nil {
		t.Errorf("%v, %v", empty, err)
	}
	full := errors.New("the disk is full")
	failing := func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, full)
	}
	if err := Write(ctx, name, failing); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if empty, err := IsEmpty(ctx, folder); !empty || err != nil {
		t.Errorf("%v, %v", empty, err)
	}
	if err := WriteBytes(ctx, name, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if err := Write(ctx, name, failing); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if data, err := Read(ctx, name); string(data) != "whole" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if empty, err := IsEmpty(ctx, folder); empty || err != nil {
		t.Errorf("%v, %v", empty, err)
	}
	if list, err := os.ReadDir(folder); len(list) != 1 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if err := errors.Join(Remove(ctx, name), Remove(ctx, name)); err != nil {
		t.Error(err)
	}
}
