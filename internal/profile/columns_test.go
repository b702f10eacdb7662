package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
)

// TestColumnsAreDescribedAsBefore compares what is said of columns on both sides of each limit with a file: numbers of values, shares,
// widths, forms of times and of numbers. With UPDATE=1 in the environment it writes the file.
func TestColumnsAreDescribedAsBefore(t *testing.T) {
	every := func(n, share int, most, rest func(i int) any) func(i int) any {
		return func(i int) any {
			if i < n*share/100 {
				return most(i)
			}
			return rest(i)
		}
	}
	number := func(i int) any { return fmt.Sprint(i * 37 % 1000) }
	text := func(i int) any { return fmt.Sprintf("t%d", i) }
	same := func(i int) any { return "a" }
	var out strings.Builder
	show := func(what, name string, n int, value func(i int) any) {
		fmt.Fprintf(&out, "%s: %+v\n", what, column(t, name, n, value))
	}
	for _, n := range []int{1, 2, 19, 20, 21, 99, 100, 101, 300} {
		show(fmt.Sprint(n, " different texts"), "x", n, text)
		show(fmt.Sprint(n, " different numbers"), "x", n, func(i int) any { return fmt.Sprint(i) })
		show(fmt.Sprint(n, " long numbers"), "x", n, func(i int) any { return fmt.Sprint(1000000 + i*7919%900001) })
		show(fmt.Sprint(n, " identifiers"), "user_id", n, func(i int) any { return fmt.Sprint(i % 150) })
		show(fmt.Sprint(n, " sentences"), "x", n, func(i int) any { return fmt.Sprintf("to buy a car %d", i) })
	}
	for _, share := range []int{79, 80, 81, 89, 90, 91, 94, 95, 96, 100} {
		show(fmt.Sprint(share, " % numbers"), "x", 100, every(100, share, number, same))
		show(fmt.Sprint(share, " % different"), "x", 100, every(100, share, text, same))
		show(fmt.Sprint(share, " % dates"), "x", 100, every(100, share, func(i int) any { return fmt.Sprintf("2026-01-%02d", 1+i%28) }, same))
		show(fmt.Sprint(share, " % formatted"), "x", 100, every(100, share, func(i int) any { return fmt.Sprintf("%d,%03d", 1+i%9, i) }, same))
		show(fmt.Sprint(share, " % missing"), "x", 100, every(100, share, func(int) any { return nil }, number))
	}
	for _, form := range []string{"2026-01-%02d", "%02d.01.2026", "01/%02d/2026", "2026-01-02T03:04:%02dZ", "2026-01-02 03:04:%02d", "2026-01-02T03:04:%02d+01:00", "2026-01-02T03:04:%02d.123Z", "202601%02d", "17000000%02d", "17000000%02d000",
		"$%d", "%d %%", "%d,5", "1.%03d", "1'%03d", "-%d", "+%d", "%d.", ".%d", "1e%d", "0x%d", "%d-%[1]d", "(%d)", "€ %d", "%d EUR", "00%d"} {
		show(form, "x", 60, func(i int) any { return fmt.Sprintf(form, 10+i%18) })
	}
	show("true and false", "x", 40, func(i int) any { return i%3 == 0 })
	show("two levels and an odd text", "x", 200, func(i int) any {
		if i == 7 {
			return "n/a?"
		}
		return i % 90
	})
	show("ends that stand out", "x", 200, func(i int) any {
		if i%10 == 0 {
			return 999
		}
		return i % 50
	})
	table := profiled(t, func() (records []string) {
		for i := range 240 {
			records = append(records, fmt.Sprintf(`{"sex":%q,"income":"%d","approved":%q,"region":"r%d","id":"c%d","age":%d,"status":"open","target":%d}`,
				[]string{"m", "f"}[i%2], 1000+i*37%700, []string{"yes", "no", "no"}[i%3], i%7, i, 18+i%60, i%2))
		}
		return records
	}()...)
	columns := table.Columns()
	for what, value := range map[string]any{"labels": profile.Labels(columns), "numeric labels": profile.NumericLabels(columns), "attributes": profile.Attributes(columns, "approved"), "no features": table.NoFeatures()} {
		golden(t, strings.ReplaceAll(what, " ", "-")+".txt", strings.ReplaceAll(fmt.Sprintf("%+v\n", value), "{Name:", "\n{Name:"))
	}
	for _, c := range columns {
		fmt.Fprintf(&out, "positive of %s: %q\n", c.Name, profile.Positive(c))
	}
	golden(t, "columns.txt", out.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		lines, before := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(lines), len(before)) {
			if lines[i] != before[i] {
				t.Errorf("%s, line %d\ngot  %s\nwant %s", name, i+1, lines[i], before[i])
			}
		}
		if len(lines) != len(before) {
			t.Errorf("%s: %d lines, want %d", name, len(lines), len(before))
		}
	}
}
