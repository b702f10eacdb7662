package seen

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestTheShareOfNewTexts and which texts are shown, at their bounds: so many different ones, so long, and two records of each.
func TestTheShareOfNewTexts(t *testing.T) {
	w := writtenAs("a", "b", "b", "c", "c", "c", "d")
	if got := w.NewShare(); got != 2./7 {
		t.Errorf("%v", got)
	}
	first := func(w *Written, text string) string { return w.Such(w.Texts[record.Hash([]byte(text))]) }
	for _, test := range []struct {
		different int
		shown     bool
	}{{shownTexts, true}, {shownTexts + 1, false}} {
		texts := append(numbered(test.different, "t%d"), numbered(test.different, "t%d")...)
		if got := first(writtenAs(texts...), "t1"); (got == ", such as t1 (2)") != test.shown {
			t.Errorf("%d texts: %q", test.different, got)
		}
	}
	long := fmt.Sprintf("%0*d", ShownText, 1)
	if got := first(writtenAs(long, long), long); got == "" {
		t.Error("a text of the greatest length is not shown")
	}
	if got := first(writtenAs("a", "a", "b"), "a"); got != "" {
		t.Errorf("a text that may be of one person: %q", got)
	}
}

// TestTheNewestTexts are as many as are kept, from the first behind the first ones on.
func TestTheNewestTexts(t *testing.T) {
	for _, test := range []struct {
		texts int
		left  bool
	}{{2*endTexts - 1, false}, {2 * endTexts, true}, {2*endTexts + 1, true}, {3*endTexts + 1, true}} {
		w := &Written{}
		for i := range test.texts {
			w.add([]byte("x"), uint64(1+min(i/endTexts, 1)), true)
		}
		if w.Left() != test.left || len(w.first) != 1 || w.ended != test.texts-endTexts {
			t.Errorf("of %d texts: left %v, %d first ones, %d newest ones", test.texts, w.Left(), len(w.first), w.ended)
		}
	}
	// The newest ones push the oldest of them out, one by one.
	w := &Written{}
	for i := range 2 * endTexts {
		w.add([]byte("x"), uint64(1+i/endTexts), true)
	}
	for i := range endTexts {
		w.add([]byte("x"), 1, true)
		if got := w.share(w.first); got != float64(i+1)/endTexts {
			t.Fatalf("after %d more: %v", i+1, got)
		}
	}
}

// TestSortedLabelsAtTheirBounds: a fifth of the runs that a random order has, and eight standard deviations below them.
func TestSortedLabelsAtTheirBounds(t *testing.T) {
	for _, test := range []struct {
		known, positive, runs int64
		sorted                bool
	}{
		{200, 100, 20, true}, {200, 100, 21, false}, {199, 99, 2, false}, // of 101 at random, a fifth is 20.2
		{1008, 504, 101, true}, {1008, 504, 102, false}, // of 505, a fifth is 101
		{1000, 500, 100, true}, {1000, 500, 101, false}, // of 501
		{4000, 40, 15, true}, {4000, 40, 16, true}, {4000, 36, 14, true}, {4000, 36, 15, false}, // of 80.2 and 72.4
		{4000, 10, 2, true}, {4000, 10, 5, false}, {1000, 33, 10, true}, {400, 9, 3, true}, {300, 9, 5, false},
		{250, 8, 3, true}, {250, 8, 4, false}, {250, 10, 4, true}, {250, 10, 5, false}, {500, 33, 12, true}, {500, 33, 13, false},
	} {
		l := Labels{Known: test.known, Positive: test.positive, runs: test.runs}
		if runs, random, sorted := l.Sorted(); sorted != test.sorted || runs != test.runs {
			t.Errorf("%+v: of %v at random: %v", test, random, sorted)
		}
	}
}

// TestListedColumns: of so many columns, and of so many different numbers of each, something is counted.
func TestListedColumns(t *testing.T) {
	l := newListed(model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}, Missing: []record.Text{"-7"}}})
	for i := range profile.MaxColumns + 3 {
		l.add(fmt.Appendf(nil, `{"c%d":-7}`, i))
	}
	if len(l.columns) != profile.MaxColumns {
		t.Errorf("%d columns", len(l.columns))
	}
	if _, of, _ := l.Means("c0", "-7"); of != 1 {
		t.Errorf("%d values of the first column", of)
	}
	many := newListed(model.Config{Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}, Missing: []record.Text{"-7"}}})
	for i := range mostCounted + 3 {
		many.add(fmt.Appendf(nil, `{"c":%d}`, i))
	}
	many.add([]byte(`{"c":5}`))
	if c := many.columns["c"]; len(c.numbers) != mostCounted || c.numbers[5] != 2 || c.values != mostCounted+4 {
		t.Errorf("%d numbers of %d values", len(c.numbers), c.values)
	}
	for _, test := range []struct {
		listed, below, above int
		means                bool
	}{{20, 6, 0, true}, {20, 0, 6, true}, {20, 5, 5, false}, {19, 19, 19, false}, {100, 29, 0, false}, {100, 30, 0, true}} {
		o := &occurrence{values: 500, texts: map[uint64]int{record.Hash([]byte("-7")): test.listed}, numbers: map[float64]int{-8: test.below, -6: test.above}}
		one := &Listed{columns: map[string]*occurrence{"c": o}}
		if n, of, means := one.Means("c", "-7"); n != test.listed || of != 500 || means != test.means {
			t.Errorf("%+v: %d of %d, %v", test, n, of, means)
		}
	}
	if _, _, means := (*Listed)(nil).Means("c", "-7"); means {
		t.Error("nothing means something")
	}
}

// TestListedTextsThatMeanSomething are words of three letters or more: shorter ones are as often codes, and some words say that nothing is known.
func TestListedTextsThatMeanSomething(t *testing.T) {
	for text, want := range map[string]bool{"": false, "a": false, "ab": false, "äö": false, "abc": true, "äöü": true, "a-1": true, "---": false, "...": false, "unknown": false, "married": true} {
		if got := (&occurrence{}).means(text, 5); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestComparisonsThatAreKept: eight of different groups, each once.
func TestComparisonsThatAreKept(t *testing.T) {
	c := model.Config{}
	for i := range 10 {
		group := fmt.Sprint("g", max(0, i-1)) // the first comes twice
		c.Constraints = append(c.Constraints, model.Constraint{Name: fmt.Sprint("c", i), Attribute: model.OneOrMore{"a"}, Group: model.Values(group), Versus: model.Values("v"), Tau: .1})
	}
	grouper, err := fairness.NewGrouper(c.WithDefaults().Comparisons())
	if err != nil {
		t.Fatal(err)
	}
	pairs := pairsOf(grouper.Comparisons())
	if len(pairs) != mostPairs || pairs[0].Comparison != 0 || pairs[1].Comparison != 2 || pairs[mostPairs-1].Comparison != mostPairs {
		t.Errorf("%+v", pairs)
	}
}
