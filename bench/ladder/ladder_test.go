package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/refine"
)

// TestLadder runs the two ends of the ladder on short streams: the refinements together keep tau, none of them does not.
func TestLadder(t *testing.T) {
	streams, err := openStreams("", 8)
	if err != nil {
		t.Fatal(err)
	}
	rungs := rungsOf("")
	if want := 2*len(refine.Names) + 2; len(rungs) != want {
		t.Errorf("%d rows, want %d", len(rungs), want)
	}
	ends := []rung{rungs[0], rungs[2]}
	for _, from := range streams[:2] {
		t.Run(from.name, func(t *testing.T) {
			t.Parallel()
			runs, err := study{runs: 2, seed: 1, tau: .05}.measure(from, ends)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				if with, without := math.Abs(r[0].difference), math.Abs(r[1].difference); with > .07 || without < .1 {
					t.Errorf("difference %.3f, without the refinements %.3f", with, without)
				}
				if from.change == 0 != math.IsNaN(r[0].recovery) {
					t.Errorf("recovery after %v records", r[0].recovery)
				}
			}
			var out bytes.Buffer
			if err := write(&out, from, ends, runs, .05); err != nil || strings.Contains(out.String(), "NaN") || strings.Count(out.String(), "\n") != 7 {
				t.Errorf("%v:\n%s", err, &out)
			}
		})
	}
}

// TestFiles reads a data set of a directory, with the columns that bench/quality writes.
func TestFiles(t *testing.T) {
	var text strings.Builder
	text.WriteString("score,label,attribute\n")
	for i := range 300 {
		fmt.Fprintf(&text, "%d,%d,%s\n", i%17, i%2, []string{"x", "y", "z"}[i%3])
	}
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "some.csv"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	streams, err := openFiles(directory, 1000)
	if err != nil || len(streams) != 1 {
		t.Fatalf("%d streams: %v", len(streams), err)
	}
	some := streams[0]
	if some.name != "some" || some.records != 300 || len(some.population.groups[1]) != 100 || len(some.population.groups[0]) != 200 {
		t.Errorf("%s: %d records, %d and %d of the groups", some.name, some.records, len(some.population.groups[1]), len(some.population.groups[0]))
	}
	if _, err := openFiles(t.TempDir(), 1000); err == nil {
		t.Error("a directory without files is no mistake")
	}
}

func TestMistakes(t *testing.T) {
	for want, args := range map[string][]string{"-runs": {"-runs", "1"}, "-streams": {"-streams", "none"}, "-records": {"-records", t.TempDir()}} {
		if err := run(args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
