package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/bench/python"
)

// Wide records are learnt nearly as well in one pass as by a logistic regression on all of them, and decisions on the way are
// never much worse than the better constant. The study has the same with more columns and seeds.
func TestWideRecordsAreLearnt(t *testing.T) {
	if testing.Short() {
		t.Skip("a study")
	}
	for _, w := range []world{numeric("numeric", 100, 3, 0.9), heavy("heavy tails", 50), bent("bent", 30),
		categorical("categorical", 60, 10, 5), booleans("booleans", 600, 20)} {
		var batch, learner quality
		const seeds = 3
		for seed := range uint64(seeds) {
			r, err := once(w, 20+seed, 6000, options{})
			if err != nil {
				t.Fatal(err)
			}
			batch.accuracy += r.batch.accuracy / seeds
			batch.loss += r.batch.loss / seeds
			learner.accuracy += r.learner.accuracy / seeds
			learner.loss += r.learner.loss / seeds
			if r.early > r.constant+0.05 {
				t.Errorf("%s: log loss %.3f on the first %d records, of a constant %.3f", w.name, r.early, earlyRecords, r.constant)
			}
		}
		if learner.accuracy < batch.accuracy-0.015 || learner.loss > 1.2*batch.loss {
			t.Errorf("%s: accuracy %.4f, log loss %.4f; all at once %.4f, %.4f", w.name, learner.accuracy, learner.loss, batch.accuracy, batch.loss)
		}
	}
}

// The batch regression comes near the best accuracy that is possible.
func TestBatchIsNearTheBest(t *testing.T) {
	w := numeric("numeric", 5, 3, 0.9)
	r, err := once(w, 1, 1000, options{constraint: true})
	if err != nil {
		t.Fatal(err)
	}
	// The sign of three normal columns and noise of 0.9: an accuracy of 1 − acos(ρ)/π with ρ² = 3/3.81.
	if best := 1 - math.Acos(math.Sqrt(3/3.81))/math.Pi; math.Abs(r.batch.accuracy-best) > 0.025 {
		t.Errorf("accuracy %.4f, the best possible is %.4f", r.batch.accuracy, best)
	}
}

//studies:reads run.sh peers.py requirements.txt

// TestPeers runs run.sh: the peers and a real data set, small. It needs Python 3.11 or later and, the first time, PyPI.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("installs Python packages the first time")
	}
	interpreter := python.Interpreter(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "./run.sh", "-seeds", "1", "-records", "1500", "-only", "10 numeric;sqf")
	command.Env = append(os.Environ(), "PYTHON="+interpreter)
	command.WaitDelay = time.Minute
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| 10 numeric |") || !strings.HasPrefix(lines[3], "| sqf: ") {
		t.Fatalf("%s", output)
	}
	for _, line := range lines[2:] {
		for _, name := range []string{"batch", "fairstream", "Vowpal Wabbit", "River"} {
			column := slices.IndexFunc(strings.Split(lines[0], "|"), func(head string) bool { return strings.HasPrefix(strings.TrimSpace(head), name) })
			var accuracy, loss float64
			if _, err := fmt.Sscanf(strings.Split(line, "|")[column], " %f, %f", &accuracy, &loss); err != nil || accuracy < 0.7 || !(loss < 0.6) {
				t.Errorf("%s: accuracy %v, log loss %v (%v): %s", name, accuracy, loss, err, line)
			}
		}
	}
}
