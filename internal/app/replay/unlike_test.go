package replay

import (
	"os"
	"strings"
	"testing"
)

// TestHoldoutUnlikeTheInput: a holdout whose labels, units or words are others than were learnt is named; one like the input is not.
func TestHoldoutUnlikeTheInput(t *testing.T) {
	t.Chdir(t.TempDir())
	all := madeRecords(3000)
	if err := os.WriteFile("in.csv", []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(all), "\n")
	for name, c := range map[string]struct {
		change func(cells []string)
		want   []string
	}{
		"like it": {func([]string) {}, nil},
		"labels":  {func(cells []string) { cells[3] = map[string]string{"1": "yes", "0": "no"}[cells[3]] }, []string{"no record of out.csv is positive"}},
		"units": {func(cells []string) { cells[0] += "00" }, []string{
			`out.csv: 990 of the first 990 values of "age" are unlike those that were learnt (numbers from 20 to 69)`}},
	} {
		t.Run(name, func(t *testing.T) {
			text := lines[0] + "\n"
			for _, line := range lines[1:1001] {
				cells := strings.Split(line, ",")
				if len(cells) == 5 {
					c.change(cells)
					text += strings.Join(cells, ",") + "\n"
				}
			}
			if err := os.WriteFile("out.csv", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			said := replayed(t, Settings{Inputs: []string{"in.csv"}, Holdout: "out.csv"}, map[string]bool{"holdout": true}, oneConstraint, nil, nil, nil)
			_, notes, _ := strings.Cut(said, "--- notes")
			for _, want := range c.want {
				if !strings.Contains(notes, want) {
					t.Errorf("no %q in %s", want, notes)
				}
			}
			if warned := strings.Count(notes, "unlike those") + strings.Count(notes, "out.csv is positive"); warned != len(c.want) {
				t.Errorf("%d warnings in %s", warned, notes)
			}
		})
	}
}

// TestAUnitThatChanges: far behind the first records, and in folds too; without a change nothing is said.
func TestAUnitThatChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("learns many records")
	}
	t.Chdir(t.TempDir())
	lines := strings.Split(strings.TrimSpace(madeRecords(9000)), "\n")
	for name, c := range map[string]struct {
		from  int
		folds int
		want  bool
	}{"cents": {6000, 0, true}, "in folds": {6000, 3, true}, "none": {1 << 30, 0, false}} {
		text := lines[0] + "\n"
		for i, line := range lines[1:] {
			if cells := strings.Split(line, ","); len(cells) == 5 && i >= c.from {
				cells[0] += "00"
				line = strings.Join(cells, ",")
			}
			text += line + "\n"
		}
		if err := os.WriteFile("in.csv", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said := replayed(t, Settings{Inputs: []string{"in.csv"}, Folds: c.folds}, map[string]bool{"folds": c.folds > 0}, oneConstraint, nil, nil, nil)
		if strings.Contains(said, `the unit of "age" changes`) != c.want || strings.Count(said, "the unit of") > 1 {
			t.Errorf("%s: %s", name, said)
		}
	}
}
