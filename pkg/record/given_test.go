package record

import (
	"errors"
	"fmt"
	"testing"
)

// TestOneOrMoreOfYAML: a scalar is a list of one, and what is neither a scalar nor a list is refused.
func TestOneOrMoreOfYAML(t *testing.T) {
	none := errors.New("neither")
	of := func(one string, more []string) func(any) error {
		return func(to any) error {
			switch to := to.(type) {
			case *Text:
				if one == "" {
					return none
				}
				*to = Text(one)
			case *[]Text:
				if more == nil {
					return none
				}
				for _, text := range more {
					*to = append(*to, Text(text))
				}
			}
			return nil
		}
	}
	for _, test := range []struct {
		one  string
		more []string
		want string
		err  error
	}{{"a", nil, "[a]", nil}, {"", []string{"a", "b"}, "[a b]", nil}, {"", nil, "[]", none}} {
		var got OneOrMore
		if err := got.UnmarshalYAML(of(test.one, test.more)); !errors.Is(err, test.err) || fmt.Sprint([]string(got)) != test.want {
			t.Errorf("%q, %q: %v (%v)", test.one, test.more, got, err)
		}
	}
}

// TestOneOrMoreOfJSON reads a scalar as a list of one.
func TestOneOrMoreOfJSON(t *testing.T) {
	for text, want := range map[string]string{`"a"`: "[a]", `3`: "[3]", `["a","b"]`: "[a b]", `[]`: "[]"} {
		var got OneOrMore
		if err := got.UnmarshalJSON([]byte(text)); err != nil || fmt.Sprint([]string(got)) != want {
			t.Errorf("%s: %v (%v)", text, got, err)
		}
	}
	for _, text := range []string{``, `{}`, `[{}]`} {
		if err := new(OneOrMore).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
