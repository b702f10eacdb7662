package backfill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestAFileWithOtherCodes: of many files, those that write the label or the groups in another way are named, whoever reads them; those that are small or of one
// kind by chance are not.
func TestAFileWithOtherCodes(t *testing.T) {
	if testing.Short() {
		t.Skip("computes in one goroutine")
	}
	directory := t.TempDir()
	name := func(i int) string { return filepath.Join(directory, fmt.Sprintf("part-%02d.csv", i)) }
	for i := range 12 {
		list := rows(uint64(i), 60)
		switch i {
		case 3:
			for k := range list {
				list[k].Label = strings.ReplaceAll(list[k].Label, "yes", "1")
			}
		case 5:
			for k := range list {
				list[k].Group = strings.ToUpper(list[k].Group)
			}
		case 7:
			for k := range list {
				list[k].Label = "yes"
			}
		case 9:
			list = slices.DeleteFunc(list, func(r row) bool { return r.Label == "yes" })[:3]
		}
		write(t, name(i), formatsOf(t, list)[".csv"])
	}
	for _, far := range []Far{nil, &workers{number: 2, blockBytes: 1 << 20}} {
		_, said, err := ofFiles(t, far, rowConfig(), filepath.Join(directory, "part-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range []string{"In " + name(3) + ", none of 60 records has the positive label, although ", "In " + name(7) + ", each of 60 records has the positive label, although only ",
			"In " + name(5) + ", none of 60 records is in a group of the constraint group, although 91.0 % of all records are: are groups written in another way there?"} {
			if !strings.Contains(said, words) {
				t.Errorf("%T: %q is not in\n%s", far, words, said[:min(len(said), 3000)])
			}
		}
		if n := strings.Count(said, "In "+directory); n != 3 {
			t.Errorf("%T: %d files are named:\n%s", far, n, said)
		}
	}
}

// TestOddOfFew: files without labels, and what workers of another version report, are no reason to say anything.
func TestOddOfFew(t *testing.T) {
	all := []coded{{0, codes{Records: 90, Labelled: 90, Positive: 90, Grouped: []int{90}}}, {1, codes{Records: 90}}, {2, codes{}}}
	if lines := odd(all, func(int) string { return "x" }, []fairness.Comparison{{Name: "group"}}); len(lines) != 0 {
		t.Error(lines)
	}
}

// TestWhatChanged: when a killed backfill is called again, the files that are not what they were are named.
func TestWhatChanged(t *testing.T) {
	directory := t.TempDir()
	for i := range 3 {
		write(t, filepath.Join(directory, fmt.Sprintf("part-%d.csv", i)), formatsOf(t, rows(uint64(i), 20))[".csv"])
	}
	begun := func(b *Backfill) {
		t.Helper()
		var err error
		if err = b.Configure(rowConfig(), nil); err == nil {
			b.of, err = b.fingerprint()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	killed, _ := prepared(t, filepath.Join(directory, "*.csv"))
	begun(killed)
	if err := killed.save([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	again := func(sample int) string {
		t.Helper()
		b, said := prepared(t, filepath.Join(directory, "*.csv"))
		b.Output, b.Sample = killed.Output, sample
		begun(b)
		if saved, err := b.saved(); err != nil || (saved == nil) != (said.Len() > 0) {
			t.Errorf("%s, %v, %q", saved, err, said)
		}
		return said.String()
	}
	if said := again(0); said != "" {
		t.Errorf("nothing changed: %s", said)
	}
	if said := again(5); !strings.Contains(said, "--sample has changed") {
		t.Error(said)
	}
	write(t, filepath.Join(directory, "part-1.csv"), formatsOf(t, rows(1, 21))[".csv"])
	write(t, filepath.Join(directory, "part-9.csv"), formatsOf(t, rows(9, 20))[".csv"])
	if err := os.Remove(filepath.Join(directory, "part-2.csv")); err != nil {
		t.Fatal(err)
	}
	said := again(0)
	for _, words := range []string{"part-1.csv was changed", "part-9.csv is new", "part-2.csv is gone", "begins from the start"} {
		if !strings.Contains(said, words) {
			t.Errorf("%q is not in %q", words, said)
		}
	}
	many := make([]seen, 20)
	for i := range many {
		many[i].Name = fmt.Sprint(i)
	}
	if got, want := changes(nil, many), "0 is new, 1 is new, 2 is new, 3 is new, 4 is new, 15 files more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
