package replay

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheOrderOfLabels: records that are sorted by their labels, and labels that turn far behind the first records, are named, in folds too.
func TestTheOrderOfLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	header, rest, _ := strings.Cut(strings.ReplaceAll(madeRecords(5000), "too,few\n", ""), "\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	label := func(line string) string { return strings.Split(line, ",")[3] }
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(a, b string) int { return strings.Compare(label(a), label(b)) })
	turned := slices.Clone(lines)
	for i := 3000; i < len(turned); i++ { // fewer are positive
		if cells := strings.Split(turned[i], ","); cells[0] < "60" {
			cells[3] = "0"
			turned[i] = strings.Join(cells, ",")
		}
	}
	const said, moved = "the records are sorted by the label: 2 runs", "the share of positive labels goes from"
	for name, c := range map[string]struct {
		lines []string
		folds int
		want  string
	}{
		"sorted":           {sorted, 0, said},
		"sorted, in folds": {sorted, 3, said},
		"turned":           {turned, 0, moved},
		"in random order":  {lines, 0, ""},
	} {
		if err := os.WriteFile("in.csv", []byte(header+"\n"+strings.Join(c.lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		got := replayed(t, Settings{Inputs: []string{"in.csv"}, Folds: c.folds}, map[string]bool{"folds": c.folds > 0}, oneConstraint, nil, nil, nil)
		for _, warning := range []string{said, moved} {
			if n := strings.Count(got, warning); n > 1 || n > 0 != (warning == c.want) {
				t.Errorf("%s: %d times %q in\n%s", name, n, warning, got)
			}
		}
	}
}

// TestTheOrderOfFiles: of two files the later one first is named, by a column that no decision depends on; in their order, of the same days, or by a date of
// birth, none is.
func TestTheOrderOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	header, rest, _ := strings.Cut(strings.ReplaceAll(madeRecords(600), "too,few\n", ""), "\n")
	lines := strings.Split(strings.TrimSpace(rest), "\n")
	write := func(name, column, month string, lines []string) {
		text := header + "," + column + "\n"
		for i, line := range lines {
			text += fmt.Sprintf("%s,2024-%s-%02d\n", line, month, 1+i%28)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const said = `Warning: --input: by "applied", the first records of a.csv are later than those of b.csv, which is learnt after it.`
	for name, c := range map[string]struct {
		column, first, second string
		want                  int
	}{
		"the later first": {"applied", "06", "02", 1}, "the older first": {"applied", "02", "06", 0}, "the same days": {"applied", "02", "02", 0}, "births": {"birth", "06", "02", 0},
	} {
		write("a.csv", c.column, c.first, lines[:300])
		write("b.csv", c.column, c.second, lines[300:])
		got := replayed(t, Settings{Inputs: []string{"a.csv", "b.csv"}}, nil, oneConstraint, nil, nil, []string{"record.ignore=[applied, birth]"})
		if n := strings.Count(got, said); n != c.want || strings.Count(got, "which is learnt after it") != c.want {
			t.Errorf("%s: %d times in\n%s", name, n, got)
		}
	}
}
