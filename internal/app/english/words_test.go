package english

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinesFit: no line has more than its characters, however many bytes they take, and no line ends in a space.
func TestLinesFit(t *testing.T) {
	if got := TrimLines("a  \n b \n\nc"); got != "a\n b\n\nc" {
		t.Errorf("trimmed %q", got)
	}
	long := strings.Repeat("wörter ", 30)
	for name, c := range map[string]struct {
		text               string
		most, first, later int // characters, and the spaces that lines begin with
	}{
		"prose":    {Prose(long), 80, 0, 0},
		"indented": {Indented(3, long), 80, 3, 5},
		"wrapped":  {Wrapped(long, 40), 40, 0, 2},
	} {
		lines := strings.Split(c.text, "\n")
		if len(lines) < 3 {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		longest := 0
		for i, line := range lines {
			margin := c.later
			if i == 0 {
				margin = c.first
			}
			if got := len(line) - len(strings.TrimLeft(line, " ")); got != margin {
				t.Errorf("%s: line %d begins with %d spaces, want %d", name, i, got, margin)
			}
			longest = max(longest, len([]rune(line)))
			if strings.HasSuffix(line, " ") {
				t.Errorf("%s: line %d ends in a space", name, i)
			}
		}
		if longest > c.most || longest < c.most-len("wörter ")-3 {
			t.Errorf("%s: the longest line has %d characters, at most %d are to be used", name, longest, c.most)
		}
		if words := strings.Fields(c.text); len(words) != 30 {
			t.Errorf("%s: %d words, want 30", name, len(words))
		}
	}
	for width, want := range map[int]string{5: "ab cd", 4: "ab\n  cd", 1: "ab\n  cd"} {
		if got := Wrapped("ab cd", width); got != want {
			t.Errorf("in %d characters: %q, want %q", width, got, want)
		}
	}
}

// TestOneLine: what would end a line, hide text or be no text is a space, and characters around these are kept.
func TestOneLine(t *testing.T) {
	for _, bad := range []rune{0, '\t', '\n', '\r', 0x1f, 0x7f, 0x80, 0x85, 0x9f, '\u2028', '\u2029', '\ufeff', 0xfffd} {
		if got := OneLine("a" + string(bad) + "b"); got != "a b" {
			t.Errorf("%U becomes %q", bad, got)
		}
	}
	if kept := " !~\u00a0é€\U0001F600"; OneLine(kept) != kept {
		t.Errorf("%q becomes %q", kept, OneLine(kept))
	}
	for most, want := range map[int]string{3: "ab…", 4: "abéd", 5: "abéd"} {
		if got := Clipped("abéd", most); got != want {
			t.Errorf("%d characters: %q, want %q", most, got, want)
		}
	}
}

func TestListsAndNames(t *testing.T) {
	names := make([]string, 41)
	for i := range names {
		names[i] = fmt.Sprint("n", i)
	}
	for n, want := range map[int]string{0: "none", 1: "n0", 2: "n0, n1"} {
		if got := List(names[:n]); got != want {
			t.Errorf("%d names: %q", n, got)
		}
	}
	if got := List(names[:40]); strings.Contains(got, "more") || !strings.HasSuffix(got, ", n39") {
		t.Errorf("40 names: %q", got)
	}
	if got := List(names); !strings.HasSuffix(got, ", n39 and 1 more") {
		t.Errorf("41 names: %q", got)
	}
	for _, c := range []struct{ got, want string }{
		{DidYouMean("incom", []string{"age", "income"}), ` (did you mean "income"?)`},
		{DidYouMean("x", []string{"age", "income"}), ""},
		{DidYouMeanField("income", []string{"person.age", "person.income"}), ` (did you mean "person.income"?)`},
		{DidYouMeanField("zzz", []string{"person.age"}), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	w := NewTable()
	w.AppendHeader([]any{"Name", "n"})
	w.AppendRow([]any{"a", Stacked("0.5 [0.4, 0.6]")})
	want := "Name   n\n────────────────────\na      0.5\n       [0.4, 0.6]"
	if got := Render(w); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
