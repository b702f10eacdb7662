package english

import (
	"strings"
	"testing"
)

// TestLines: where they break, how they are indented, and what is cut off.
func TestLines(t *testing.T) {
	eighty := strings.Repeat("a", 39) + " " + strings.Repeat("b", 40)
	for _, c := range []struct{ got, want string }{
		{TrimLines("a  \n  b \nc"), "a\n  b\nc"},
		{Prose(eighty), eighty},
		{Prose(eighty + "b"), strings.Repeat("a", 39) + "\n" + strings.Repeat("b", 41)},
		{Indented(0, eighty[2:]), eighty[2:]},
		{Indented(0, eighty[1:]), strings.Repeat("a", 38) + "\n  " + strings.Repeat("b", 40)},
		{Indented(3, eighty[5:]), "   " + eighty[5:]},
		{Indented(3, eighty[4:]), "   " + strings.Repeat("a", 35) + "\n     " + strings.Repeat("b", 40)},
		{Wrapped("", 10), ""}, {Wrapped("aaaa bbbbb", 10), "aaaa bbbbb"}, {Wrapped("aaaa bbbbbb", 10), "aaaa\n  bbbbbb"},
		{Wrapped("äääää  bbbb\ncc dddd eeee", 10), "äääää bbbb\n  cc dddd\n  eeee"}, {Wrapped("longerthanten a", 10), "longerthanten\n  a"},
		{Stacked("1 [0, 2] and 3 [1, 4]"), "1\n[0, 2] and 3 [1, 4]"}, {Stacked("–"), "–"},
		{Clipped("abcd", 4), "abcd"}, {Clipped("äbcde", 4), "äbc…"}, {Clipped("a\nbcde", 4), "a b…"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestOneLine: what ends a line or is no character of YAML becomes a space, and its neighbours stay.
func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1fb c~d": "a b c~d", "a\x7fb": "a b", "a\u0080b\u0085c\u009fd": "a b c d", "a\u00a0b": "a\u00a0b", "a\u2027b\u2028c\u2029d\u202ae": "a\u2027b c d\u202ae",
		"a\ufeffb\ufefe": "a b\ufefe", "a\xffb": "a b", "\ufffc\ufffe": "\ufffc\ufffe", "": "",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
