package main

import (
	"strings"
	"testing"
)

// TestAFewJobs: the study runs, and a few jobs publish the weights of one alone.
func TestAFewJobs(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-jobs", "3", "-seconds", "1"}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !strings.Contains(out.String(), "3 × 300 records") {
		t.Error(out.String())
	}
}

// TestABacklogBesideOthers: a job with a backlog learns, one halts, and the others go on.
func TestABacklogBesideOthers(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-jobs", "2", "-seconds", "3", "-backlog", "50000"}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !strings.Contains(out.String(), "is halted") {
		t.Error(out.String())
	}
}
