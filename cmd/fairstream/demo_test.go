package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/apptest"
)

// inTemporary moves the system's temporary directory into one of the test's own, and says what is in it.
func inTemporary(t *testing.T) (left func() []string) {
	t.Helper()
	directory := t.TempDir()
	t.Setenv("TMPDIR", directory)
	return func() []string {
		files, err := filepath.Glob(filepath.Join(directory, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
}

// TestDemoKeepsRunning: the records come again, the job can be looked at from outside, and an interruption
// is a good end.
func TestDemoKeepsRunning(t *testing.T) {
	learnsAll(t)
	left := inTemporary(t)
	ctx, cancel := context.WithCancel(t.Context())
	var out, stderr apptest.Screen
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"demo", "--keep-running", "--json", "--lasts", "500ms"}, nil, &out, &stderr)
	}()
	var yaml []string
	for len(yaml) == 0 || !strings.Contains(stderr.String(), "published") {
		time.Sleep(20 * time.Millisecond)
		if len(left()) > 0 {
			var err error
			if yaml, err = filepath.Glob(filepath.Join(left()[0], "adult.yaml")); err != nil {
				t.Fatal(err)
			}
		}
	}
	document := showDocument(t, yaml[0])
	for document.Records <= adult.Records-adult.HeldOut {
		time.Sleep(100 * time.Millisecond)
		document = showDocument(t, yaml[0])
	}
	url := regexp.MustCompile(`http://\S+/metrics`).FindString(stderr.String())
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil || !strings.Contains(string(metrics), "fairstream_records_learnt_total") {
		t.Errorf("%s: %v\n%.300s", url, err, metrics)
	}
	cancel()
	if got := <-code; got != done {
		t.Fatalf("exit code %d\n%s", got, stderr.String())
	}
	contains(t, stderr.String(), yaml[0])
	if got := lastAnswer(t, out.String()); got.Records <= adult.Records-adult.HeldOut || got.Holdout.Records != adult.HeldOut {
		t.Errorf("%+v", got)
	}
	if files := left(); len(files) > 0 {
		t.Errorf("the demo leaves %v", files)
	}
}
