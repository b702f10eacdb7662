package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestSumsAreAsGoodAsOneLearner: at equal difference, on one split, sums lose at most what chance makes of a holdout of 9,768 records.
func TestSumsAreAsGoodAsOneLearner(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: left out by -short")
	}
	of := &sets("")[0]
	records, err := of.load()
	if err != nil {
		t.Fatal(err)
	}
	held, learnt := deal(records, 1)
	all, err := (&trial{of, "demographic-parity", held, learnt}).compare([]float64{.05})
	if err != nil {
		t.Fatal(err)
	}
	found := all[0]
	for i, o := range found[1:] {
		if o.beside > .005 || o.above > .006 || o.error > .16 || o.difference > .07 || o.difference < -.05 {
			t.Errorf("%s: %+v", methods[i+1], o)
		}
	}
	var out bytes.Buffer
	write(&out, "adult", .05, methods[1], []outcome{found[1], found[2]}, []outcome{found[0], found[0]})
	if !strings.HasPrefix(out.String(), "| adult | 0.05 | sums | 0.1") || !strings.Contains(out.String(), " of 2 | ") {
		t.Error(out.String())
	}
}

// TestParabola: a curve that is one is found again.
func TestParabola(t *testing.T) {
	var curve []outcome
	for _, x := range []float64{.01, .02, .05, .1} {
		curve = append(curve, outcome{error: .15 - .3*x + x*x, difference: x})
	}
	if got, want := at(curve, .07), .15-.3*.07+.07*.07; got-want > 1e-9 || want-got > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if err := run([]string{"-tau", "x"}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "-tau x") {
		t.Errorf("%v", err)
	}
}

// TestGenerated: files have the records that were asked for, the same for a seed; members of b have fewer positive labels.
func TestGenerated(t *testing.T) {
	read := func(seed uint64) (text string) {
		directory := t.TempDir()
		if err := generate(directory, 20_001, 2, 50, seed); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"part-000.csv", "part-001.csv"} {
			data, err := os.ReadFile(filepath.Join(directory, name))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(data), generatedHeader) {
				t.Errorf("%s has no header", name)
			}
			text += string(data[len(generatedHeader):])
		}
		return text
	}
	text := read(1)
	if text != read(1) || text == read(2) {
		t.Error("records are not a function of the seed")
	}
	var of [2]fairness.Count
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if len(fields) != 8 {
			t.Fatalf("%q", line)
		}
		of[fields[0][0]-'a'].Add(fields[7] == "1", 1)
	}
	if of[0].Records+of[1].Records != 20_001 || of[0].Rate()-of[1].Rate() < .1 {
		t.Errorf("%+v", of)
	}
}

// TestBeyond: two of five records are wrong by one of the weights only, one by the other only.
func TestBeyond(t *testing.T) {
	a, b := []bool{true, true, false, true, false}, []bool{false, false, true, true, false}
	if got := beyond(a, b); got != "+0.20000 ± 0.34641" {
		t.Error(got)
	}
	var d decided
	for i, side := range []fairness.Side{fairness.Group, fairness.Group, fairness.Versus, fairness.Versus} {
		d.add(a[i], i != 1, side)
	}
	if d.difference() != -.5 || share(d.wrong) != .75 {
		t.Errorf("%v, %v", d.difference(), share(d.wrong))
	}
}

// TestShort: of a hundred records, sums tell about as much as one learner.
func TestShort(t *testing.T) {
	var out bytes.Buffer
	if err := few(&out, "100 records", .05, 2, 1); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 {
		t.Fatal(out.String())
	}
	for i, line := range lines[2:] {
		cells := strings.Split(line, "|")
		beyond, err := strconv.ParseFloat(strings.Fields(cells[5])[0], 64)
		if err != nil || strings.TrimSpace(cells[2]) != methods[i] || math.Abs(beyond) > .02 || strings.TrimSpace(cells[8]) != "2 of 2" {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// TestPrice: a tenth of the records costs accuracy.
func TestPrice(t *testing.T) {
	var out bytes.Buffer
	if err := price(&out, sets(""), "adult", []float64{.05}, 1, 1, "1,.1"); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(out.String(), "\n"); len(lines) != 5 || !strings.HasPrefix(lines[3], "| adult | 0.05 | 0.1 of them | 0.1") || strings.Contains(lines[3], "| 0.0000 ± 0.0000 |") {
		t.Error(out.String())
	}
	if err := price(&out, nil, "", nil, 1, 1, "0"); err == nil || !strings.Contains(err.Error(), "-sampled 0") {
		t.Errorf("%v", err)
	}
}

// TestFinished: splits that are in the file are not computed again, and no other file is taken for one.
func TestFinished(t *testing.T) {
	name := filepath.Join(t.TempDir(), "finished")
	f, err := openFinished(name, "demographic-parity")
	if err != nil {
		t.Fatal(err)
	}
	for i, method := range methods {
		f.lines = append(f.lines, line{split{f.criterion, "nowhere", 3, .05}, method, outcome{.125, -.01, .02, .0003, math.NaN(), "met"}})
		f.lines[i].error += float64(i)
	}
	if err := f.save(); err != nil {
		t.Fatal(err)
	}
	if f, err = openFinished(name, "demographic-parity"); err != nil {
		t.Fatal(err)
	}
	if found := f.of("nowhere", 3, .05); len(found) != len(methods) || found[2].error != 2.125 || !math.IsNaN(found[2].above) || found[2].verdict != "met" || !found[2].isWithin(.01) {
		t.Errorf("%+v", found)
	}
	none := &set{name: "nowhere", open: func() (io.ReadCloser, error) { return nil, os.ErrNotExist }}
	if err := f.split(none, 3, []float64{.05}); err != nil {
		t.Error("a finished split is computed again")
	}
	for _, other := range []split{{f.criterion, "nowhere", 4, .05}, {f.criterion, "nowhere", 3, .1}, {"equal-opportunity", "nowhere", 3, .05}} {
		f.criterion = other.criterion
		if err := f.split(none, other.seed, []float64{other.tau}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%+v counts as finished: %v", other, err)
		}
	}
	for _, text := range []string{"something else", fields + "demographic-parity\tnowhere"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openFinished(name, ""); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
