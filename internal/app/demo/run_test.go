package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
)

// learnsAll leaves a test out of go test -short, which the race detector watches: it learns all records, as TestADemoThatKeepsRunning does, and measures them.
func learnsAll(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("learns all records: left out by -short")
	}
}

// shown is a demo whose output and notes a test reads.
func shown(d Demo) (_ *Demo, out, notes *apptest.Screen) {
	out, notes = &apptest.Screen{}, &apptest.Screen{}
	d.Streams = &program.Streams{Out: out, Err: notes}
	return &d, out, notes
}

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

// TestTheDemoTellsPeople what is going to happen, what came of it, and what to try next. Nobody looks, so no page is served.
func TestTheDemoTellsPeople(t *testing.T) {
	learnsAll(t)
	left := inTemporary(t)
	d, out, notes := shown(Demo{Lasts: 100 * time.Millisecond})
	if err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"39,074 census records flow through an embedded Kafka broker on 127.0.0.1:", "may differ by 0.05 at most",
		"Learnt 39,074 records in ", "read version 39,074 back from adult.models", "On 9,768 records held out:", "fairstream         unconstrained      constant decision", "sex: Male − Female",
		"  difference   ", "within 0.05  in 5 of 5 holdouts", "  accuracy     0.8", "Try next:\n  fairstream init"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Page:") || strings.Contains(text, "until Ctrl-C") || notes.String() != "" || len(left()) > 0 {
		t.Errorf("%s\n%s\nleft %q", text, notes, left())
	}
}

// TestADemoOfJSON ends with one object, and leaves standard output to it.
func TestADemoOfJSON(t *testing.T) {
	learnsAll(t)
	d, out, notes := shown(Demo{JSON: true, Lasts: 100 * time.Millisecond})
	if err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var said struct {
		Records int64
		Holdout struct{ Records int64 }
	}
	if err := json.Unmarshal([]byte(out.String()), &said); err != nil || said.Records != records || said.Holdout.Records != adult.HeldOut || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%v: %+v\n%s", err, said, out)
	}
	if !strings.Contains(notes.String(), "census records") {
		t.Errorf("%s", notes)
	}
}

// TestAnInterruptedDemo has no weights of all records to measure, so it is a failure. It leaves no files.
func TestAnInterruptedDemo(t *testing.T) {
	left := inTemporary(t)
	for _, after := range []time.Duration{0, 200 * time.Millisecond} { // before its topics are there, or while it learns
		d, out, _ := shown(Demo{Lasts: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), after)
		defer cancel()
		if err := d.Run(ctx); !errors.Is(err, errInterrupted) || strings.Contains(out.String(), "Learnt") || strings.Contains(out.String(), "keeps running") || len(left()) > 0 {
			t.Errorf("after %v: %v\n%s\nleft %q", after, err, out, left())
		}
	}
}

// TestADemoThatKeepsRunning brings the records again and again. It leaves a configuration to look at it from outside, serves metrics, and an
// interruption is a good end, after which no file is left. The race detector sees the same goroutines meet in the first records.
func TestADemoThatKeepsRunning(t *testing.T) {
	lasts, enough := 200*time.Millisecond, int64(records)
	if testing.Short() {
		lasts, enough = 30*time.Second, 1000
	}
	left := inTemporary(t)
	d, out, notes := shown(Demo{KeepRunning: true, JSON: true, Lasts: lasts})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	await(t, ended, notes, func() bool { return strings.Contains(notes.String(), "  published ") })
	if yaml, err := filepath.Glob(filepath.Join(left()[0], "adult.yaml")); err != nil || len(yaml) != 1 || !strings.Contains(notes.String(), "--config "+yaml[0]) {
		t.Errorf("%q, %v\n%s", yaml, err, notes)
	}
	if metrics := get(t, d.page+"metrics"); !strings.Contains(metrics, "fairstream_records_learnt_total") {
		t.Errorf("%.300s", metrics)
	}
	for d.learner.Status().Version <= enough {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil || len(left()) > 0 {
		t.Errorf("%v, left %q", err, left())
	}
	var said struct{ Records int64 }
	if err := json.Unmarshal([]byte(out.String()), &said); err != nil || said.Records <= enough || strings.Contains(notes.String(), " of 39,074") {
		t.Errorf("%v: %s\n%s", err, out, notes)
	}
}

// await waits until something holds while a demo runs.
func await(t *testing.T, ended chan error, notes *apptest.Screen, holds func() bool) {
	t.Helper()
	for !holds() {
		select {
		case err := <-ended:
			t.Fatalf("the demo ended: %v\n%s", err, notes)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: status %d, %v", url, answer.StatusCode, err)
	}
	return string(text)
}

// TestADemoInABrowser hands the address of its page to the program that opens one. Where there is none, it says so and goes on.
func TestADemoInABrowser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the opener of Windows is no program in PATH")
	}
	directory := t.TempDir()
	opened := filepath.Join(directory, "opened")
	for _, name := range []string{"xdg-open", "open"} {
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" > '%s.part' && mv '%[1]s.part' '%[1]s'\n", opened)
		if err := os.WriteFile(filepath.Join(directory, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	path := os.Getenv("PATH")
	for _, there := range []bool{true, false} {
		if t.Setenv("PATH", t.TempDir()); there {
			t.Setenv("PATH", directory+string(os.PathListSeparator)+path)
		}
		d, _, notes := shown(Demo{Open: true, JSON: true, Lasts: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		var address []byte
		await(t, ended, notes, func() bool {
			if address, _ = os.ReadFile(opened); !there { // the file is there in the end
				return strings.Contains(notes.String(), "open the page yourself")
			}
			return address != nil
		})
		url := strings.TrimSuffix(string(address), "\n")
		if there && (!strings.Contains(notes.String(), "Page: "+url+", metrics: "+url+"metrics") || !strings.Contains(get(t, url), "<title>")) {
			t.Errorf("%s\n%s", url, notes)
		}
		cancel()
		if err := <-ended; !errors.Is(err, errInterrupted) {
			t.Error(err)
		}
	}
}

// TestWhoLooks: the page stays for a person who asked for it, and standard output is left to the object.
func TestWhoLooks(t *testing.T) {
	if d, _, _ := shown(Demo{Open: true, JSON: true}); !d.stays() || d.screen() != d.Err {
		t.Error("a page that was asked for is not kept, or standard output is not left to the object")
	}
	if d, _, _ := shown(Demo{}); d.stays() || d.screen() != d.Out {
		t.Error("nobody looks, and a page is kept")
	}
}
