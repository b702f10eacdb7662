package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/fairstream/fairstream/pkg/release"
)

var theLaw = sync.OnceValue(newLaw)

// A small version of the study holds its bars.
func TestGoodVersionsPassAndBadOnesDoNot(t *testing.T) {
	s := study{runs: 10, law: theLaw()}
	for _, kind := range s.qualities() {
		r := s.candidates(kind.version)
		switch {
		case kind.good && r.soon < 7: // at least 80 % are expected; 7 or more of 10 come with a probability of 0.88 even then
			t.Errorf("%s: %d of 10 within %d records", kind.name, r.soon, soon)
		case !kind.good && (r.promoted > 0 || r.rejected != 10):
			t.Errorf("%s: %+v", kind.name, r)
		}
	}
}

func TestAnUnfairStableVersionIsWithdrawn(t *testing.T) {
	s := study{runs: 12, law: theLaw()}
	if l := s.lives(fates[0]); l.withdrawn != 12 || l.delay > 5000 || l.early > 0 {
		t.Errorf("%s: %+v", fates[0].name, l)
	}
	s.runs = 6
	if l := s.lives(fates[4]); l.marked != 6 || l.withdrawn > 0 {
		t.Errorf("%s: %+v", fates[4].name, l)
	}
	s.runs = 2
	if l := s.lives(fates[5]); l.withdrawn > 0 || l.marked > 0 {
		t.Errorf("%s: %+v", fates[5].name, l)
	}
}

func TestAnUnfairRegressionIsWithdrawn(t *testing.T) {
	for _, f := range meanFates() {
		if f.share < 0.1 && testing.Short() {
			continue // a withdrawal takes some 10,000 records there
		}
		s := study{runs: 4}
		l := s.meanLives(f)
		drifts, stays := f.before != f.after, f.alone || f.earlier == f.after
		if !drifts && l.withdrawn+l.marked > 0 || drifts && (l.early > 0 || stays && l.marked != 4 || !stays && l.withdrawn != 4) {
			t.Errorf("deviation %v, share %v, %s: %+v", f.spread, f.share, f.name, l)
		}
	}
}

// Nothing is promoted because time passes, a machine restarts, or labels are missing; and a restart changes nothing.
func TestEdges(t *testing.T) {
	s := study{runs: 2, law: theLaw()}
	for _, e := range s.edges() {
		if e.groups > 0 || e.share > 0 && testing.Short() {
			continue // 100,000 records each
		}
		for seed := range uint64(2) {
			got := s.edge(e, seed)
			promoted := e.quality.good && !e.never && e.share == 0 || e.stable != nil && e.quality.noise > noise
			if want := map[bool]release.StepKind{true: release.Promoted, false: release.Rejected}[promoted]; got.kind != want && e.config.SmallGroups == "" {
				t.Errorf("%s, %s: %+v", e.name, e.quality.name, got)
			}
			if e.restarts {
				e.restarts = false
				if without := s.edge(e, seed); without != got {
					t.Errorf("%s: %+v, and %+v without", e.name, got, without)
				}
				e.restarts = true
			}
		}
	}
}

func TestTheCommandLine(t *testing.T) {
	var text strings.Builder
	if err := run([]string{"-runs", "4", "-only", "sequence"}, &text); err != nil || !strings.Contains(text.String(), "| bad |") {
		t.Errorf("%v\n%s", err, &text)
	}
	if run([]string{"-runs", "1"}, &text) == nil {
		t.Error("a wrong command line is accepted")
	}
}
