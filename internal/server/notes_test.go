package server

import (
	"testing"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestNotesFitTheVerdicts: no note says that records are too few for a verdict that was reached, and every other note stays.
func TestNotesFitTheVerdicts(t *testing.T) {
	row := func(name string, is fairness.Status) board.Constraint {
		return board.Constraint{Name: name, Status: is}
	}
	for name, c := range map[string]struct {
		code string
		rows []board.Constraint
		kept bool
	}{
		"beyond":            {"imprecise", []board.Constraint{row("sex", fairness.Violated)}, false},
		"not measured now":  {"too_few_records", []board.Constraint{row("sex", fairness.Violated)}, false},
		"open":              {"imprecise", []board.Constraint{row("sex", fairness.Inconclusive)}, true},
		"another is beyond": {"imprecise", []board.Constraint{row("sex", fairness.Inconclusive), row("race", fairness.Violated)}, true},
		"one of two":        {"imprecise", []board.Constraint{row("sex", fairness.Violated), row("sex", fairness.Inconclusive)}, true},
		"another note":      {"unreachable", []board.Constraint{row("sex", fairness.Violated)}, true},
		"no comparisons":    {"imprecise", nil, true},
	} {
		b := &board.Status{Conditions: []board.Condition{{Code: c.code, Constraint: "sex"}}, Deciding: board.Deciding{Constraints: c.rows}}
		if kept := len(fitting(b)) == 1; kept != c.kept || len(b.Conditions) != 1 {
			t.Errorf("%s: kept is %v", name, kept)
		}
	}
	none := &board.Status{WarmUp: &board.WarmUp{Of: 1000}, Conditions: []board.Condition{{Code: "no_stable_version"}}}
	if notes := fitting(none); len(notes) > 0 {
		t.Errorf("before the first version: %v", notes)
	}
	if none.WarmUp = nil; len(fitting(none)) != 1 {
		t.Error("after the first version, no note tells that none has passed its tests")
	}
}
