package replay

import (
	"fmt"
	"os"
	"slices"
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
		"groups": {func(cells []string) { cells[1] = map[string]string{"M": "1", "F": "2"}[cells[1]] }, []string{
			`constraints[0].group: none of 990 records of out.csv is M: is "sex" written there as in the records that were learnt?`}},
		"units": {func(cells []string) { cells[0] += "00" }, []string{
			`out.csv: 990 of the first 990 values of "age" are unlike those that were learnt (mostly numbers from 20 to 69)`}},
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
			if warned := strings.Count(notes, "unlike those") + strings.Count(notes, "out.csv is positive") + strings.Count(notes, "out.csv is M"); warned != len(c.want) {
				t.Errorf("%d warnings in %s", warned, notes)
			}
		})
	}
}

// TestAHoldoutThatIsOlder: a holdout whose time, which is no feature, lies before that of what was learnt raises a question; a later one does not.
func TestAHoldoutThatIsOlder(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(madeRecords(1000), "too,few\n", "")), "\n")
	halves := [2]string{lines[0] + ",day\n", lines[0] + ",day\n"}
	for i, line := range lines[1:] {
		halves[i/495] += fmt.Sprintf("%s,2024-%02d-%02d\n", line, 1+i/90, 1+i%28)
	}
	for name, text := range map[string]string{"early.csv": halves[0], "late.csv": halves[1]} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		learnt, held string
		older        bool
	}{{"early.csv", "late.csv", false}, {"late.csv", "early.csv", true}} {
		said := replayed(t, Settings{Inputs: []string{c.learnt}, Holdout: c.held}, map[string]bool{"holdout": true}, strings.Replace(oneConstraint, "ignore: [", "ignore: [day, ", 1), nil, nil, nil)
		if strings.Contains(said, `by "day", its first records are older than the first records that were learnt`) != c.older {
			t.Errorf("learnt from %s: %s", c.learnt, said)
		}
	}
}

// TestAHoldoutThatWasLearnt: records of the holdout that were learnt are named, if a column shows that they are copies; those of a holdout of its own
// are not.
func TestAHoldoutThatWasLearnt(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(madeRecords(3000), "too,few\n", "")), "\n")
	numbered := []string{lines[0] + ",amount"}
	for i, line := range lines[1:] {
		numbered = append(numbered, fmt.Sprintf("%s,%d", line, 7919*(i+1)%10007)) // no two are equal, nor in order
	}
	write := func(name string, header string, rows []string) {
		if err := os.WriteFile(name, []byte(header+"\n"+strings.Join(rows, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("in.csv", numbered[0], numbered[1:2001])
	write("twice.csv", numbered[0], append(slices.Clone(numbered[1:2001]), numbered[1:501]...))
	write("few.csv", lines[0], lines[1:2001]) // where records agree by chance
	for name, c := range map[string]struct {
		in, header string
		rows       []string
		want       string
	}{
		"half learnt":  {"in.csv", numbered[0], numbered[1501:2501], `Warning: out.csv: at least 500 of 1,000 records were learnt: they equal a learnt record in every field, although "amount" has`},
		"learnt twice": {"twice.csv", numbered[0], numbered[2001:], ""},
		"its own":      {"in.csv", numbered[0], numbered[2001:], ""},
		"by chance":    {"few.csv", lines[0], lines[1501:2501], ""},
	} {
		write("out.csv", c.header, c.rows)
		said := replayed(t, Settings{Inputs: []string{c.in}, Holdout: "out.csv"}, map[string]bool{"holdout": true}, oneConstraint, nil, nil, nil)
		if !strings.Contains(said, c.want) || strings.Contains(said, "were learnt: they") != (c.want != "") {
			t.Errorf("%s: %s", name, said)
		}
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

// TestLargeHoldout: a holdout with many times the records that were learnt is named, since the two files may be exchanged; one half as large is not.
func TestLargeHoldout(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := strings.SplitAfter(strings.ReplaceAll(madeRecords(3000), "too,few\n", ""), "\n")
	for name, records := range map[string][]string{"small.csv": lines[:501], "large.csv": append(lines[:1:1], lines[501:]...)} {
		if err := os.WriteFile(name, []byte(strings.Join(records, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		in, out string
		warns   bool
	}{{"small.csv", "large.csv", true}, {"large.csv", "small.csv", false}} {
		said := replayed(t, Settings{Inputs: []string{c.in}, Holdout: c.out}, map[string]bool{"holdout": true}, oneConstraint, nil, nil, nil)
		if strings.Contains(said, "were --input and --holdout swapped?") != c.warns {
			t.Errorf("%s with the holdout %s: %s", c.in, c.out, said)
		}
	}
}
