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
)

// made writes records whose label depends on merit, which b has less of.
func made(t *testing.T, n int) (path string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	text := strings.Builder{}
	text.WriteString("merit,town,attribute,label\n")
	for range n {
		group, merit := "a", random.NormFloat64()+.5
		if random.IntN(3) == 0 {
			group, merit = "b", merit-1
		}
		label := 0
		if merit+.5*random.NormFloat64() > 0 {
			label = 1
		}
		fmt.Fprintf(&text, "%.3f,%c,%s,%d\n", merit, 'k'+rune(random.IntN(3)), group, label)
	}
	path = filepath.Join(t.TempDir(), "made.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheReferenceTradesErrorForDifference: with multiplier 0 it is nearly as good as the best decision, whose error is 0.15 here; with larger
// ones the difference goes down and the error goes up.
func TestTheReferenceTradesErrorForDifference(t *testing.T) {
	f, err := open(made(t, 1500), "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	r := f.reference(1, 0)
	if first := r[0]; first.wrong > .2 || first.difference < .2 {
		t.Errorf("multiplier 0: %+v", first)
	}
	if last := r[multipliers-1]; last.difference > .05 || last.wrong < r[0].wrong+.02 {
		t.Errorf("largest multiplier: %+v, multiplier 0: %+v", last, r[0])
	}
}

// TestPartsAreEveryRecordOnce: the parts of a split hold out each record once, and learn the others.
func TestPartsAreEveryRecordOnce(t *testing.T) {
	f, err := open(made(t, 103), "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	times := make([]int, len(f.records))
	for part := range parts {
		train, test := f.cut(7, 1, part)
		if len(train)+len(test) != 103 {
			t.Errorf("part %d has %d and %d records", part, len(train), len(test))
		}
		for _, k := range test {
			times[k]++
		}
	}
	for k, n := range times {
		if n != 1 {
			t.Errorf("record %d is held out %d times", k, n)
		}
	}
}

// TestFitFindsTheOptimum: at the weights found, the gradient of the penalised loss is 0, so the sum of p − y over the records is, too.
func TestFitFindsTheOptimum(t *testing.T) {
	f, err := open(made(t, 400), "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	train, _ := f.cut(1, 1, 0)
	r := encode(f.columns, train, len(f.labels))
	p, off := r.fit(train, f.labels), 0.0
	for _, i := range train {
		off += p[i]
		if f.labels[i] {
			off--
		}
	}
	if math.Abs(off) > .01 {
		t.Errorf("probabilities are off by %g in total", off)
	}
}

// TestTheTable: a row for each tau, whose reference is at the learner's difference.
func TestTheTable(t *testing.T) {
	path, out := made(t, 600), bytes.Buffer{}
	if err := run([]string{"-file", path, "-group", "a", "-versus", "b", "-splits", "2", "-tau", "0.3,0.05"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[4], "| 0.30 |") || !strings.HasPrefix(lines[5], "| 0.05 |") {
		t.Fatalf("%s", out.String())
	}
	for _, line := range lines[4:] {
		var off float64
		if _, err := fmt.Sscanf(line[strings.LastIndex(line, "difference ")+len("difference "):], "%f off", &off); err != nil || off > .03 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, wrong := range [][]string{{}, {"-file", path, "-group", "a", "-versus", "b", "-splits", "1"}, {"-file", path, "-group", "a", "-versus", "b", "-tau", "x"}} {
		if err := run(wrong, &out); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// TestParts: the first row is the reference of the table above, and both models of the learner with one multiplier decide nearly as the learner does.
func TestParts(t *testing.T) {
	out := bytes.Buffer{}
	if err := run([]string{"-file", made(t, 1500), "-group", "a", "-versus", "b", "-splits", "2", "-tau", "0.1", "-parts"}, &out); err != nil {
		t.Fatal(err)
	}
	last := func(line string, format string) (x float64) {
		if _, err := fmt.Sscanf(line[strings.LastIndex(line[:strings.LastIndex(line, "(")], "|")+2:], format, &x); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return x
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 8+len(replaced) {
		t.Fatalf("%s", out.String())
	}
	if a, b := last(lines[4], "%f"), last(lines[8], "%f"); math.Abs(a-b) > 1e-9 {
		t.Errorf("the reference is off by %v in the table, by %v in parts", a, b)
	}
	if off := last(lines[11], "%f"); math.Abs(off) > .01 {
		t.Errorf("with one multiplier for all the learner is off by %v", off)
	}
}

// TestTheReferenceIsTakenAtTheSameDifference: between two multipliers, error and difference are on the line between theirs.
func TestTheReferenceIsTakenAtTheSameDifference(t *testing.T) {
	references := make([]reference, 2)
	for i := range references {
		for at := range multipliers {
			references[i][at] = outcome{wrong: .1 + .001*float64(at), difference: .3 + .1*float64(i) - .002*float64(at)}
		}
	}
	for _, c := range []struct{ difference, wrong, left float64 }{{.35, .1, 0}, {.3495, .10025, 0}, {.251, .1495, 0}, {.37, .1, .02}, {.02, .26, .01}} {
		place, part, left := between(references, c.difference)
		if wrong := references[1].wrongAt(place, part); math.Abs(wrong-c.wrong) > 1e-9 || math.Abs(left-c.left) > 1e-9 {
			t.Errorf("difference %v: error %v, %v off, at %d and %v", c.difference, wrong, left, place, part)
		}
	}
}
