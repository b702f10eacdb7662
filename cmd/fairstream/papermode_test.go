package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestPaperModeFailsWhereAConstantIsBetter: weights that are wrong about the holdout, whose labels are turned round, are
// an error in mode paper, whose steps are the user's. The report is written all the same.
func TestPaperModeFailsWhereAConstantIsBetter(t *testing.T) {
	rows := func(sign int) string {
		var b strings.Builder
		b.WriteString("x,sex,y\n")
		for i := range 400 {
			x, sex, y := 1, "M", 1
			if i%2 == 0 {
				x = -1
			}
			if i%4 < 2 {
				sex = "F"
			}
			if x*sign < 0 {
				y = 0
			}
			fmt.Fprintf(&b, "%d,%s,%d\n", x, sex, y)
		}
		return b.String()
	}
	const settings = `record: {label: {field: y, positive: 1}}
learner: {mode: paper, warmup: 10}
constraints: [{attribute: sex, group: M, versus: F, tau: 0.05, threshold: 2}]
`
	inDirectory(t, map[string]string{"train.csv": rows(1), "turned.csv": rows(-1), "same.csv": rows(1), "paper.yaml": settings})
	code, stdout, stderr := fairstream(t, "replay", "-i", "train.csv", "--holdout", "turned.csv", "-c", "paper.yaml")
	if code != failed || !strings.Contains(stderr, "worse than a constant decision") || !strings.Contains(stderr, "learner.paper.k") || !strings.Contains(stdout, "accuracy") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, _ := fairstream(t, "replay", "-i", "train.csv", "--holdout", "turned.csv", "-c", "paper.yaml", "--json"); code != failed {
		t.Errorf("with --json the exit code is %d", code)
	}
	out := succeed(t, "replay", "-i", "train.csv", "--holdout", "same.csv", "-c", "paper.yaml")
	if strings.Contains(out, "learner.confidence") || strings.Contains(out, "--tau") || !strings.Contains(out, "learner.paper.horizon=400") {
		t.Errorf("the advice is not that of mode paper:\n%s", out)
	}
}
