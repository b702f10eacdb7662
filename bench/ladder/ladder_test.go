package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/refine"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestLadder runs the two ends of the ladder on short streams: the refinements together keep tau, none of them does not.
func TestLadder(t *testing.T) {
	streams, err := openStreams("", nil, 8)
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

// TestBursts has women first, then men, and as many of both in random order.
func TestBursts(t *testing.T) {
	bursts, err := burstsOf("2:3,1:1")
	if err != nil || len(bursts) != 2 {
		t.Fatalf("%v: %v", bursts, err)
	}
	people := population{all: []record.Record{{}, {}}, groups: [2][]int{{0}, {1}}}
	streams, random, men := bursts[0].streams(10, nil, people), rand.New(rand.NewPCG(1, 1)), 0
	for i := range 10 {
		if man := streams[0].next(random, i) == &people.all[1]; man != (i%5 >= 2) {
			t.Errorf("record %d: a man is %v", i, man)
		}
	}
	for i := range 5000 {
		if streams[1].next(random, i) == &people.all[1] {
			men++
		}
	}
	if men < 2850 || men > 3150 {
		t.Errorf("%d of 5,000 are men, 3,000 ± 35 are expected", men)
	}
}

func TestMistakes(t *testing.T) {
	for want, args := range map[string][]string{"-runs": {"-runs", "1"}, "-streams": {"-streams", "none"}, "-records": {"-records", t.TempDir()},
		"-bursts": {"-bursts", "4000"}, "refinement": {"-rows", "window+none", "-streams", "adult"}} {
		if err := run(args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
