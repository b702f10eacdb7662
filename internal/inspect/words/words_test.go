package words

import (
	"testing"

	"github.com/fairstream/fairstream/internal/profile"
)

// TestAlike: which texts are one value, one answer or one group, whichever comes first; none is like itself.
func TestAlike(t *testing.T) {
	const (
		never  = iota
		group  // of people, alone
		answer // to a question, too
		value  // in any case
	)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"yes", "yes", never}, {"yes", "Yes", value}, {"yes", " yes. ", value}, {"yes", "yes\u00a0", value}, {"yes", "y\u200bes", value}, {"yes", "yеs", value}, // a Cyrillic е
		{"1", "1.0", value}, {"1e3", "1000", value}, {"1", "2", never}, {"1", "x", never}, {"", "0", never},
		{"yes", "ja", answer}, {"yes", "1", answer}, {"yes", "no", never}, {"no", "False", answer}, {"0", "nein", answer}, {"t", "f", never},
		{"self-employed", "Self employed", answer}, {"self_employed", "self employed", answer}, {"selfemployed", "self employed", never},
		{"m", "Male", group}, {"m", "Herr", group}, {"w", "female", group}, {"m", "f", answer * 0}, {"male", "female", never}, {"boy", "girl", never},
		{"ﬁve", "five", value}, {"naïve", "nai\u0308ve", value}, {"naive", "naïve", never},
	} {
		for range 2 {
			if got := Alike(c.a, c.b); got != (c.want >= value) {
				t.Errorf("Alike(%q, %q) = %v", c.a, c.b, got)
			}
			if got := AlikeAnswer(c.a, c.b); got != (c.want >= answer) {
				t.Errorf("AlikeAnswer(%q, %q) = %v", c.a, c.b, got)
			}
			if got := AlikeGroup(c.a, c.b); got != (c.want >= group) {
				t.Errorf("AlikeGroup(%q, %q) = %v", c.a, c.b, got)
			}
			c.a, c.b = c.b, c.a
		}
	}
	for _, c := range []struct {
		text            string
		yes, no, wanted bool
	}{{"Ja.", true, false, true}, {"nein", false, true, true}, {"1", true, false, true}, {"0", false, true, true}, {"maybe", false, false, false}, {"", false, false, false}} {
		if SaysYes(c.text) != c.yes || SaysNo(c.text) != c.no {
			t.Errorf("%q says yes %v, no %v", c.text, SaysYes(c.text), SaysNo(c.text))
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"yes", "ja", true}, {"no", "0", true}, {"yes", "no", false}, {"yes", "yes", false}, {"m", "male", false}} {
		if SameAnswer(c.a, c.b) != c.want {
			t.Errorf("SameAnswer(%q, %q)", c.a, c.b)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"Female", "Femal", true}, {"Female", "Fenale", true}, {"Female", "Male", false}, {"A1", "A2", false}, {"Female", "female", false}} {
		if Mistyped(c.a, c.b) != c.want {
			t.Errorf("Mistyped(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

// TestForms: what is left of a text where its case, its signs and its spaces do not count.
func TestForms(t *testing.T) {
	for _, c := range []struct{ text, bare, form string }{
		{" Self-Employed. ", "self-employed", "self employed"}, {"A__b  c", "a__b  c", "a b c"}, {"...", "", ""}, {"10 μg", "10 μg", "10 μg"}, {"СОР", "cop", "cop"}, {"Ωx", "ωx", "ωx"},
	} {
		if Bare(c.text) != c.bare || Form(c.text) != c.form {
			t.Errorf("%q: %q and %q, want %q and %q", c.text, Bare(c.text), Form(c.text), c.bare, c.form)
		}
	}
	latin, other := []rune("abekmhopctyxijs"+"abezhiknoptyx"), []rune("авекмнорстухіјѕ"+"αβεζηικνορτυχ")
	for i, r := range other {
		if got := folded(string(r)); got != string(latin[i]) {
			t.Errorf("%q looks like %q, not like %q", r, latin[i], got)
		}
	}
}

// TestShown: values, shares and names as a finding shows them.
func TestShown(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Quote("male"), "male"}, {Quote(""), `""`}, {Quote("a b"), `"a b"`}, {Quote("a,b"), `"a,b"`}, {Quote("(a"), `"(a"`}, {Quote(`a"`), `"a\""`}, {Quote("a\u200b"), `"a\u200b"`},
		{Quote("mаle"), `"m\u0430le"`}, {Quote("мир"), "мир"}, {Quote("Ζ"), "Ζ"}, {Quote("nai\u0308ve"), `"nai\u0308ve"`}, {Quote("naïve"), "naïve"},
		{Values(nil), ""}, {Values([]profile.Value{{Text: "a", Count: 3}, {Text: "b c", Count: 1}}), `a (3), "b c" (1)`},
		{Seen(nil), ""}, {Seen(&profile.Column{Name: "x"}), ""}, {Seen(&profile.Column{Name: "x", Shown: []profile.Value{{Text: "a", Count: 3}}}), `: the values of "x" are a (3)`},
		{Percent(.126), "13 %"}, {Percent(1), "100 %"}, {Share(.126), "13 %"}, {Share(.1), "10 %"}, {Share(.0996), "10.0 %"}, {Share(.0126), "1.3 %"}, {Share(0), "0 %"},
		{Number(1e6), "1000000"}, {Number(-.5), "-0.5"}, {Number(1e-7), "0.0000001"},
		{Power(10), "1000"}, {Power(0), "1"}, {Power(20), "1000000"}, {Power(7), "130"}, {Power(-1), "0.5"}, {Power(16), "66000"},
		{List([]string{"a"}), "a"}, {List([]string{"a", "b"}), "a and b"}, {List([]string{"a", "b", "c", "d", "e"}), "a, b, c, d and e"}, {List([]string{"a", "b", "c", "d", "e", "f", "g"}), "a, b, c, d, e and 2 more"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// TestNumber: digits as they are written, and powers of ten where nobody counts them.
func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{12.5: "12.5", -300000: "-300000", 1e300: "1e+300", -2e15: "-2e+15", 999999999999: "999999999999"} {
		if got := Number(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}

// TestLimitsOfWords: the last letter of ASCII, and the first number that is not written out.
func TestLimitsOfWords(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a\x7f": true, "a\u0080": false} {
		if got := isASCII(text); got != want {
			t.Errorf("%q is ASCII: %v", text, got)
		}
	}
	for x, want := range map[float64]string{1e15: "1e+15", 999999999999999: "999999999999999", -1e15: "-1e+15", .25: "0.25"} {
		if got := Number(x); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
