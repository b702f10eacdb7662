package main

import (
	"bytes"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// update rewrites what the quick version is compared with: go test ./bench/paper -run Quick -update
var update = flag.Bool("update", false, "rewrite testdata/quick")

const golden = "testdata/quick"

// TestQuick runs the quick version, and compares every number of every table with the committed ones.
func TestQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	directory := t.TempDir()
	var out bytes.Buffer
	if err := run([]string{"--quick", "--out", directory}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "tables.md") {
		t.Errorf("it says %q", out.String())
	}
	got, err := readTables(filepath.Join(directory, "paper"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		for _, table := range got {
			table.code = "" // it changes with every line of the project
			if err := table.write(filepath.Join(golden, table.name+".csv")); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := readTables(golden)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%d tables, want %d", len(got), len(want))
	}
	for name, table := range want {
		if got[name] == nil {
			t.Errorf("no table %s", name)
			continue
		}
		compare(t, got[name], table)
	}
	checkFigures(t, filepath.Join(directory, "figures"))
	t.Run("claims", func(t *testing.T) { claims{t, got}.always() })
}

// compare allows numbers what another processor's rounding may change over thousands of steps, and those of the
// product's learner what a change of it may.
func compare(t *testing.T, got, want *table) {
	t.Helper()
	if !slices.Equal(got.columns, want.columns) || len(got.rows) != len(want.rows) {
		t.Errorf("%s: columns %v and %d rows, want %v and %d", want.name, got.columns, len(got.rows), want.columns, len(want.rows))
		return
	}
	for i, row := range want.rows {
		product := strings.HasPrefix(row[0], "mode ")
		for j, cell := range row {
			if product && !slices.Contains([]string{"error", "log_loss", "RD"}, want.columns[j]) || product && want.name == "frontier" {
				continue
			}
			other := got.rows[i][j]
			a, errA := strconv.ParseFloat(cell, 64)
			b, errB := strconv.ParseFloat(other, 64)
			same := cell == other
			if errA == nil && errB == nil {
				tolerance := 1e-6 + 1e-3*math.Abs(a)
				if product {
					tolerance = .1
				}
				same = math.Abs(a-b) <= tolerance
			}
			if !same {
				t.Errorf("%s: row %d, %s: %q, want %q", want.name, i+1, want.columns[j], other, cell)
			}
		}
	}
}

func checkFigures(t *testing.T, directory string) {
	t.Helper()
	for _, name := range []string{"trade-off", "convergence", "spam", "rates", "exponents"} {
		for extension, start := range map[string]string{"png": "\x89PNG", "svg": "<?xml"} {
			text, err := os.ReadFile(filepath.Join(directory, "paper-"+name+"."+extension))
			if err != nil || !bytes.HasPrefix(text, []byte(start)) || len(text) < 5000 {
				t.Errorf("%s.%s: %d bytes, %v", name, extension, len(text), err)
			}
		}
	}
}

// TestWorkersChangeNothing: the bytes of an experiment do not depend on how many runs go at a time.
func TestWorkersChangeNothing(t *testing.T) {
	var texts [2][]byte
	for i, workers := range []string{"1", "3"} {
		directory := t.TempDir()
		if err := run([]string{"--quick", "--only", "5", "--workers", workers, "--out", directory}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		var err error
		if texts[i], err = os.ReadFile(filepath.Join(directory, "paper", "exponents.csv")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) || len(texts[0]) == 0 {
		t.Errorf("one worker wrote\n%s\nand three\n%s", texts[0], texts[1])
	}
}

// TestSomeExperimentsAreEnough: a run of some experiments succeeds, in an empty directory and in one that holds the
// tables of a quick run, and leaves paper.md alone.
func TestSomeExperimentsAreEnough(t *testing.T) {
	directory := t.TempDir()
	tables := filepath.Join(directory, "paper")
	if err := os.CopyFS(tables, os.DirFS(golden)); err != nil {
		t.Fatal(err)
	}
	for _, directory := range []string{t.TempDir(), directory} {
		if err := run([]string{"--quick", "--only", "5", "--out", directory}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := report(directory, false, true, &out); err != nil || !strings.Contains(out.String(), "paper.md is left as it is") {
			t.Errorf("%v, and it says %q", err, out.String())
		}
		if _, err := os.Stat(filepath.Join(directory, "paper.md")); err == nil {
			t.Error("paper.md is written")
		}
	}
}

func TestArguments(t *testing.T) {
	for _, arguments := range [][]string{{"--only", "6"}, {"--only", "1,x"}, {"--workers", "0"}, {"--unknown"}} {
		if err := run(arguments, io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", arguments)
		}
	}
}
