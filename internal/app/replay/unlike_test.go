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
