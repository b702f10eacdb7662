package backfill

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/backfill"
)

// TestKindsOfFields: twenty values are needed to call a field a number or a text, and nine in ten of them.
func TestKindsOfFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ numbers, texts, want int }{
		{20, 0, 0}, {19, 0, -1}, {0, 20, 1}, {0, 19, -1}, {18, 2, 0}, {17, 3, -1}, {2, 18, 1}, {3, 17, -1}, {10, 10, -1}, {0, 0, -1},
	} {
		if got := (kinds{c.numbers, c.texts}).kind(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for text, want := range map[string]bool{"": false, "12": true, "-1.5": true, "1e400": false, "1e40": true, "inf": false, "nan": false, "9": true, "a": false, "0x": false} {
		if got := isNumber([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestRarerKind: the kind of fewer files is the rarer one, and of as many the one that begins later.
func TestRarerKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		numbers, texts some
		want           int
	}{
		{some{}, some{3, 0}, -1}, {some{3, 0}, some{}, -1}, {some{1, 0}, some{2, 1}, 0}, {some{2, 1}, some{1, 0}, 1},
		{some{2, 0}, some{2, 1}, 1}, {some{2, 1}, some{2, 0}, 0},
	} {
		if got := (&spread{as: [2]some{c.numbers, c.texts}}).rarer(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	var s some
	for _, file := range []int{5, 3, 4} {
		s.add(file)
	}
	if s != (some{3, 3}) {
		t.Errorf("%+v", s)
	}
}

// TestWhichFilesLackAField: in whatever order files come, the first that lacks a field is named, and what is in all of them is not.
func TestWhichFilesLackAField(t *testing.T) {
	t.Parallel()
	of := func(names ...string) *fields {
		f := &fields{Records: 30, Kinds: map[string]kinds{}}
		for _, name := range names {
			f.Kinds[name] = kinds{Numbers: 30}
		}
		return f
	}
	all := []*fields{of("a", "b"), of("a"), of("a", "c"), of("a", "b", "d")}
	all[3].Kinds["a"] = kinds{Texts: 30}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		f := &files{list: make([]file, 4)}
		for i := range f.list {
			f.list[i].source.Name = string(rune('p' + i))
		}
		for _, i := range order {
			f.evenness.take(i, all[i])
		}
		want := `The field "c" is in 1 of 4 files: p lacks it.|The field "d" is in 1 of 4 files: p lacks it.|The field "b" is in 2 of 4 files: q lacks it.|The field "a" is a number in 3 files and a text in 1 file: first in s.`
		if got := strings.Join(f.uneven(), "|"); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", order, got, want)
		}
	}
}

// TestHowManyAreTold: five are named, the others are counted.
func TestHowManyAreTold(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "", 5: "a|b|c|d|e", 6: "a|b|c|d|e|The same is true of 1 more.", 8: "a|b|c|d|e|The same is true of 3 more."} {
		if got := strings.Join(told(strings.Split("abcdefgh", "")[:n], func(s string) string { return s }), "|"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := told([]string{"a", ""}, func(s string) string { return s }); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestHowColumnsDiffer: what one list lacks and what it has beside the other are named; files that are no CSV have no columns.
func TestHowColumnsDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		second []string
		want   string
	}{
		{[]string{"a"}, "it lacks b"}, {[]string{"a", "b", "c"}, "it also has c"}, {[]string{"a", "c"}, "it lacks b and has c"},
	} {
		first := file{source: input.Source{Name: "x"}, columns: []string{"a", "b"}}
		f := files{list: []file{{source: input.Source{Name: "w"}}, first, first, {source: input.Source{Name: "y"}, columns: c.second}}}
		if err := f.sameColumns(); err == nil || err.Error() != "y has other columns than x: "+c.want+"; give files of the same columns" {
			t.Errorf("%v: %v", c.second, err)
		}
		f.list = f.list[:3]
		if err := f.sameColumns(); err != nil {
			t.Error(err)
		}
	}
}

// TestRoundsLeft: as many as usual, by the number of weights, and never fewer than two.
func TestRoundsLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ weights, passes, want int }{
		{backfill.MostDense, 1, 19}, {backfill.MostDense + 1, 1, 54}, {1, 18, 2}, {1, 19, 2}, {1, 40, 2}, {1, 17, 3},
	} {
		if got := left(backfill.Progress{Weights: c.weights, Rounds: backfill.Rounds{Passes: c.passes}}); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestWhatIsTold: of the survey, of the sample and of rounds, each when it comes.
func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a.csv")
	write(t, name, formatsOf(t, rows(1, 20))[".csv"])
	b, said := prepared(t, name)
	if err := b.Configure(rowConfig(), nil); err != nil {
		t.Fatal(err)
	}
	b.files.list[0].records = 20
	forgetting := int64(b.config.Model().WithDefaults().Learner.Forgetting)
	says := func(p backfill.Progress, want ...string) {
		t.Helper()
		said.Reset()
		p.Took = 2 * time.Second
		b.tell(p)
		if got := said.String(); strings.Count(got, "\n") != len(want) {
			t.Errorf("%d lines, want %d:\n%s", strings.Count(got, "\n"), len(want), got)
		}
		for _, words := range want {
			if !strings.Contains(said.String(), words) {
				t.Errorf("%q is not in\n%s", words, said)
			}
		}
	}
	b.estimate()
	mustSay(t, said.String(), "1 file, 0.0 MB. About 23 passes over them, ", " at a time, or 58 if there are more than ")
	said.Reset()
	b.Far = struct{ Far }{}
	b.estimate()
	mustSay(t, said.String(), "1 file, 0.0 MB. About 24 passes over them, or 59 if there are more than ")
	b.Far = nil
	says(backfill.Progress{Survey: backfill.Survey{Records: forgetting + 5, Newest: 5}}, "are in no sum; 2s.")
	says(backfill.Progress{Survey: backfill.Survey{Records: forgetting + 6, Newest: 5}}, "are in no sum; 2s.", "and learner.forgetting is ")
	b.TimeField = "made"
	says(backfill.Progress{Survey: backfill.Survey{Records: 9, Timeless: 1}}, "9 good records", "1 record without a time in made")
	b.files.list[0].records = 0
	says(backfill.Progress{Survey: backfill.Survey{Records: 9}}, "9 good records", "Without a good record: 1 file of 1, "+name)
	if b.records.Load() != 9 {
		t.Errorf("%d records of a pass", b.records.Load())
	}
	says(backfill.Progress{Weights: 7}, "The sample has given 7 weights; 2s.\n")
	says(backfill.Progress{Weights: 7, Rounds: backfill.Rounds{Passes: 1, Phase: "free", Summed: 9, Loss: .5}}, "round 1 (free): 9 records, loss 0.50000; 2s, about 38s left\n")
	says(backfill.Progress{Weights: 7, Rounds: backfill.Rounds{Passes: 9, Phase: backfill.Done, Summed: 9, Loss: .5}}, "loss 0.50000; 2s\n")
	says(backfill.Progress{Weights: 7, Rounds: backfill.Rounds{Passes: 9, Phase: backfill.Done, Measured: []backfill.Measured{{Name: "g"}, {Name: "h", Estimable: true, Difference: .1, Error: .02, Target: .05}}}}, "loss 0.00000, h +0.1000 ± 0.0200, to be within 0.0500; 2s\n")
}

// TestOddByChance: a file is named where chance makes it look so in fewer than one history of a thousand.
func TestOddByChance(t *testing.T) {
	t.Parallel()
	// Of two files, ln(2/0.001) = 7.6: with half of all records positive, that is 11 records without one.
	for n, want := range map[int]int{10: 0, 11: 1} {
		all := []coded{{1, codes{Records: n, Labelled: n}}, {0, codes{Records: 3 * n, Labelled: 3 * n, Positive: 2 * n}}}
		lines := odd(all, func(file int) string { return string(rune('x' + file)) }, nil)
		if len(lines) != want || want > 0 && !strings.HasPrefix(lines[0], "In y, none of 11 records has the positive label, although 50.0 % ") {
			t.Errorf("%d of %.1f: %q", n, math.Log(2/byChance), lines)
		}
	}
}

// TestOffsets: partitions and offsets from 0 on.
func TestOffsets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"0:0": 1, "0:1,1:0": 2, " 3:4": 1, "-1:0": 0, "0:-1": 0, "0": 0, "": 0, "2147483648:1": 0, "1:1,1:1": 0} {
		if got, err := offsets(text); len(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
