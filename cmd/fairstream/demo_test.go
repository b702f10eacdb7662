package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
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

func TestDemoTellsPeople(t *testing.T) {
	learnsAll(t)
	contains(t, succeed(t, "demo", "--lasts", "100ms"),
		"Learnt 39,074 records in ", "read version 39,074 back from adult.models", "On 9,768 records held out:",
		"fairstream         unconstrained      constant decision", "sex: Male − Female", "within 0.05  in 5 of 5 holdouts", "Try next:\n  fairstream init")
}

// TestDemoInterrupted: there are no weights of all records to measure, so it is a failure.
func TestDemoInterrupted(t *testing.T) {
	left := inTemporary(t)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	var out, stderr synchronized
	if got := run(ctx, []string{"demo", "--lasts", "1h"}, nil, &out, &stderr); got != failed {
		t.Errorf("exit code %d", got)
	}
	contains(t, stderr.String(), "the demo was interrupted")
	if files := left(); len(files) > 0 {
		t.Errorf("the demo leaves %v", files)
	}
}

// TestDemoKeepsRunning: the records come again, the job can be looked at from outside, and an interruption
// is a good end.
func TestDemoKeepsRunning(t *testing.T) {
	learnsAll(t)
	left := inTemporary(t)
	ctx, cancel := context.WithCancel(t.Context())
	var out, stderr synchronized
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

// TestDemoOpensTheBrowser: with --open the demo hands its address to the program that opens one, and the page is there.
func TestDemoOpensTheBrowser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the opener of Windows is no program in PATH")
	}
	left := inTemporary(t)
	directory := t.TempDir()
	opened := filepath.Join(directory, "opened")
	for _, name := range []string{"xdg-open", "open"} {
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" > '%s.part' && mv '%[1]s.part' '%[1]s'\n", opened)
		if err := os.WriteFile(filepath.Join(directory, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", directory+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, stderr synchronized
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"demo", "--open", "--json", "--lasts", "500ms"}, nil, &out, &stderr)
	}()
	var address []byte
	for address == nil {
		select {
		case got := <-code:
			t.Fatalf("exit code %d before a browser was opened\n%s", got, stderr.String())
		case <-time.After(20 * time.Millisecond):
			address, _ = os.ReadFile(opened) // until it is there
		}
	}
	url := strings.TrimSuffix(string(address), "\n")
	contains(t, stderr.String(), "Page: "+url+",")
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "<title>") {
		t.Errorf("%s: status %d, %v\n%.300s", url, answer.StatusCode, err, page)
	}
	cancel()
	<-code
	if files := left(); len(files) > 0 {
		t.Errorf("the demo leaves %v", files)
	}
}

// TestDemoWithoutABrowser: where no program opens one, the demo says so and goes on.
func TestDemoWithoutABrowser(t *testing.T) {
	inTemporary(t)
	t.Setenv("PATH", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, stderr synchronized
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"demo", "--open", "--json", "--lasts", "500ms"}, nil, &out, &stderr)
	}()
	for !strings.Contains(stderr.String(), "open the page yourself") {
		select {
		case got := <-code:
			t.Fatalf("exit code %d\n%s", got, stderr.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	<-code
}
